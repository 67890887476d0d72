"""Shell commands that check a record without this project, run in the directory of `record.json`.

A test runs each command exactly as the page shows it.
"""

from collections.abc import Mapping
from typing import Final

COMMANDS: Final[Mapping[str, str]] = {
    name: command.strip()
    for name, command in {
        "seals": r"""
python3 - <<'END'
import hashlib, json
def text(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
def field(salt, name, value):
    return hashlib.sha256(bytes.fromhex(salt) + text([name, value])).digest()
record = json.load(open("record.json", encoding="utf-8"))
for turn in record["turns"]:
    for seal in turn["seals"]:
        if seal["fields"] is None:
            continue  # its key is lost; it was replaced and never played
        salts, fields = seal["salts"], seal["fields"]
        found = [field(salts[name], name, fields[name]) for name in fields]
        for name in seal.get("removed", {}):  # by a referee: only the hash is left
            found.append(bytes.fromhex(seal["hashes"][name]))
        if "pad" in salts:
            empty = -len(found) % 32
            found += [field(salts["pad"], f"pad {n + 1}", "") for n in range(empty)]
        whole = hashlib.sha256(b"".join(sorted(found))).hexdigest()
        print(turn["ordinal"], seal["wizard"], whole, whole == seal["commitment"])
END
""",
        "salts": r"""
python3 - <<'END'
import hashlib, hmac, json
record = json.load(open("record.json", encoding="utf-8"))
for turn in record["turns"] + record["void_turns"]:
    seed = [s["seed"] for s in record["dice"]["seeds"] if s["roll_backs"] <= turn["roll_backs"]][-1]
    if seed is None:
        continue  # the seed is lost, so this cannot be checked
    made = {}
    for seal in turn["seals"]:
        key = (seal["wizard"], seal["stage"], seal["batch"])
        before = made.get(key, 0)  # number of earlier seals in this place
        made[key] = before + 1
        if seal["fields"] is None:
            continue
        if "chance" not in seal["fields"]:
            print(turn["ordinal"], seal["wizard"], "has salts chosen by the site")
            continue
        found = {}
        for name in seal["salts"]:
            listed = ["salt", seal["fields"]["place"], before, name]
            text = json.dumps(listed, separators=(",", ":")).encode()
            found[name] = hmac.new(bytes.fromhex(seed), text, hashlib.sha256).hexdigest()
        own = seal["fields"]["chance"] or "none"
        print(turn["ordinal"], seal["wizard"], "own chance:", own, found == seal["salts"])
END
""",
        "seed": r"""
python3 - <<'END'
import hashlib, json
record = json.load(open("record.json", encoding="utf-8"))
for row in record["dice"]["seeds"]:
    found = hashlib.sha256(bytes.fromhex(row["seed"] or "")).hexdigest()  # null if it is lost
    print(row["roll_backs"], found == row["seed_commitment"])
END
""",
        "seed_openssl": r"""
grep -oE '"seed": *"[0-9a-f]+"' record.json | grep -oE '[0-9a-f]{64}' | while read seed
do printf %s "$seed" | tr a-f A-F | basenc --base16 -d | openssl dgst -sha256 -r; done
grep -oE '"seed_commitment": *"[0-9a-f]+"' record.json
""",
        "draws": r"""
python3 - <<'END'
import hashlib, hmac, json
record = json.load(open("record.json", encoding="utf-8"))
def draw(seed, commitments, label, sides):
    counter = 0
    while True:
        message = "\0".join([*commitments, label, str(counter)])
        first = hmac.new(bytes.fromhex(seed), message.encode(), hashlib.sha256).digest()[:8]
        number = int.from_bytes(first, "big")
        if number < 2**64 - 2**64 % sides:  # otherwise some sides would come up more often
            return number % sides
        counter += 1
for turn in record["turns"] + record["void_turns"]:
    seed = [s["seed"] for s in record["dice"]["seeds"] if s["roll_backs"] <= turn["roll_backs"]][-1]
    if seed is None:
        continue  # the seed is lost, so this cannot be checked
    for drawn in turn["draws"]:
        if drawn["label"] in record["dice"].get("draws", {}):
            print(drawn["label"], "was set in advance", drawn["value"])
            continue
        found = draw(seed, turn["commitments"], drawn["label"], drawn["sides"])
        print(turn["ordinal"], drawn["label"], found, found == drawn["value"])
END
""",
        "acts": r"""
python3 - <<'END'
import hashlib, json
record = json.load(open("record.json", encoding="utf-8"))
before = ""
for act in record["acts"]:
    chain = act.pop("chain")
    text = json.dumps(act, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    before = hashlib.sha256((before + text).encode()).hexdigest()
    print(act["ordinal"], before == chain)
print(len(record["acts"]), "referee actions")
END
""",
    }.items()
}
