// Checks a duel's record in the browser, as described in docs/RECORDS.md.
//
// It checks commitments, seeds, salts, draws, the order of seals, acts and the chain, with the
// browser's SHA-256 and HMAC (WebCrypto). It does not play any turns: `NOT_HERE` lists the checks
// that are missing, and `python -m engine verify` replays every turn.

export const NOT_HERE = [
  "the position after each turn, and its hash",
  "whether the rules call for these draws",
  "damage, result and markers",
];
const NOT_COVERED = ["names and pronouns of wizards", "messages between turns"];
const WITHOUT_SEED = "the draws, the origin of the salts, and the chain during the duel, because the seed is lost";

const LINKED_TURN_FIELDS = ["ordinal", "number", "kind", "opened_at", "closed_at", "release", "position",
  "after", "resigned", "forfeited", "removed", "played", "commitments", "draws", "acts"];
const LINKED_SEAL_FIELDS = ["wizard", "stage", "batch", "source", "sealed_at", "taken_back_at",
  "superseded", "commitment"];
const LINKED_REJECTED_FIELDS = ["wizard", "stage", "batch", "before", "rejected_at", "code", "commitment"];
const PLACE = "place";
const CHANCE = "chance";
const PAD = "pad";
const WIDTH = 32;
const VERSION = 4;
const UNCOVERED_DICE = 3; // the version whose first link does not cover the dice
const OLDER = 2; // the version with a single seed and with salts chosen by the site
const SOURCES = ["player", "default"];
const ACTS = ["pause", "go_on", "extend", "restart_clock", "excuse", "defaults", "roll_back", "remove",
  "replace", "declare", "annul", "lock_speech", "unlock_speech", "remove_words", "rename", "suspend",
  "reinstate", "message", "open_sealed", "ruling", "open_dispute", "close_dispute", "nudge", "send_again"];
const bytesOf = new TextEncoder();

/** An error in a record, and its place. */
export class Wrong extends Error {
  constructor(place, text) {
    super(`${place}: ${text}`);
    this.place = place;
  }
}

/**
 * Checks a record. Returns the checks made as text, the parts that were not checked, and the last
 * hash of the chain. Throws `Wrong` at the first error.
 */
export async function check(text) {
  let record;
  try {
    record = JSON.parse(text, keptNumber);
  } catch {
    throw new Wrong("record", "is not valid JSON");
  }
  if (record?.format !== "spellcaster-record") throw new Wrong("format", "is not the format of a record");
  if (![VERSION, UNCOVERED_DICE, OLDER].includes(record.version)) {
    throw new Wrong("version", `must be ${VERSION}, ${UNCOVERED_DICE} or ${OLDER}`);
  }
  try {
    return await checkRecord(record);
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong("record", `is malformed (${error.message})`);
  }
}

async function checkRecord(record) {
  checkKeys(record);
  await checkActs(record);
  const seeds = await checkSeeds(record);
  const first = {
    duel: record.duel, ruleset: record.ruleset, options: record.options,
    wizards: record.wizards.length, setup: record.setup,
  };
  if (record.salts === "seed") first.salts = "seed";
  if (record.version === VERSION) first.dice = await diceCommitment(record.dice);
  checkEqual("chain", record.chain, await link(seeds[0].seed_commitment, first));
  const branches = [{ ordinal: 1, chain: record.chain, after: "", closed_at: "" }];
  for (const [index, turn] of record.turns.entries()) {
    branches.push(await checkTurn(`turns[${index}]`, record, seeds, turn, branches[index]));
  }
  await checkVoidTurns(record, seeds, branches);
  const end = await checkEnd(record, branches.at(-1).chain);
  const removed = checkRemovedMessages(record);
  checkEnding(record);
  return { lines: checksMade(record), notCovered: [...(isSeedLost(record) ? [WITHOUT_SEED] : []), ...NOT_COVERED, ...removed], chain: end };
}

/** Returns the values about the dice that the first link covers. */
async function diceCommitment({ kind, draws }) {
  if (kind === "hmac") return { kind };
  return { kind, draws: await sha256(bytesOf.encode(canonical(draws))) };
}

/** Checks that the stated end of the duel follows from a referee's act or from the last turn. */
function checkEnding(record) {
  for (const [name, turns] of [["turns", record.turns], ["void_turns", record.void_turns]]) {
    for (const [index, turn] of turns.entries()) {
      for (const wizard of turn.removed) {
        const isDone = record.acts.some((act) => act.act === "remove" && act.turn === turn.ordinal && act.seat === wizard);
        if (!isDone) throw new Wrong(`${name}[${index}].removed`, `${wizard} was not removed by any act in the log`);
      }
    }
  }
  const ends = record.acts.filter((act) => ["declare", "annul", "roll_back"].includes(act.act));
  const byAct = { declare: "declared", annul: "annulled" }[ends.at(-1)?.act];
  const ways = byAct ? [byAct] : waysToEnd(record.turns.at(-1));
  const { how } = record.ended;
  if (!ways.includes(how)) throw new Wrong("ended.how", `is ${valueText(how)}, but the record shows ${ways.join(" or ")}`);
}

/** Returns the ways in which a duel can have ended in this turn without an act. */
function waysToEnd(turn) {
  if (!turn || turn.played) return ["rules"];
  const left = turn.resigned.at(-1);
  if (left === undefined) return ["agreed", "abandoned"];
  if (turn.removed.includes(left)) return ["removed", "agreed", "abandoned"];
  return [...(turn.forfeited.includes(left) ? ["time", "claimed"] : ["resigned"]), "agreed", "abandoned"];
}

/** Checks that each removed message has an act in the log and a hash. Returns their places. */
function checkRemovedMessages(record) {
  const places = [];
  for (const list of ["turns", "void_turns"]) {
    for (const [index, turn] of record[list].entries()) {
      for (const [number, seal] of turn.seals.entries()) {
        for (const [name, ordinal] of Object.entries(seal.removed ?? {})) {
          const at = `${list}[${index}].seals[${number}]`;
          const act = record.acts[ordinal - 1];
          const isDone = act?.act === "remove_words" && act.turn === turn.ordinal && act.seat === seal.wizard;
          if (name !== "say" || !isDone) throw new Wrong(`${at}.removed.${name}`, "was not removed by this act in the log");
          if (name in (seal.fields ?? {}) || !(name in (seal.hashes ?? {}))) {
            throw new Wrong(`${at}.removed.${name}`, "is still there, or has no hash");
          }
          places.push(`${at}.fields.${name}, which a referee removed (act ${ordinal})`);
        }
      }
    }
  }
  return places;
}

/** Returns whether the last seed of the dice has been lost. */
function isSeedLost(record) {
  return seedsOf(record).at(-1)?.seed === null;
}

function seedsOf({ version, seed_commitment, dice }) {
  return version === OLDER ? [{ roll_backs: 0, seed_commitment, seed: dice.seed }] : dice.seeds;
}

/** Returns the seed of a turn that was opened after this many rollbacks. */
function seedAfter(seeds, rollBacks) {
  return seeds.filter((each) => each.roll_backs <= rollBacks).at(-1).seed;
}

// All keys that a record may have. Other keys are rejected, because no check covers their values.
const KEYS = {
  record: ["format", "version", "duel", "ruleset", "options", "wizards", "setup", "dice", "salts", "chain",
    "turns", "void_turns", "acts", "speeches", "ended"],
  seed: ["roll_backs", "seed_commitment", "seed"],
  turn: [...LINKED_TURN_FIELDS, "roll_backs", "seals", "rejected", "orders", "answers", "damage", "chain"],
  seal: [...LINKED_SEAL_FIELDS, "hashes", "fields", "salts", "removed"],
  rejected: [...LINKED_REJECTED_FIELDS, "hashes", "fields", "salts"],
  draw: ["label", "sides", "value"],
  ended: ["how", "result", "at", "markers", "seed_lost", "chain"],
};

const isText = (value) => typeof value === "string";
const isNumber = (value) => Number.isSafeInteger(value) || (value instanceof Literal && /^-?\d+$/.test(value.text));
const isTime = (value) => isText(value) && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{6})?\+00:00$/.test(value);
// Values that no hash covers must at least have the right format.
const OF_A_WIZARD = { name: isText, pronouns: isText };
const OF_A_SPEECH = {
  wizard: isText, ordinal: isNumber, after_end: (value) => typeof value === "boolean",
  words: isText, said_at: isTime, removed: (value) => value === true,
};

const orNull = (fits) => (value) => value === null || fits(value);
const OF_AN_ACT = {
  ordinal: isNumber, act: (value) => ACTS.includes(value), at: isTime, referee: isText, case: orNull(isNumber),
  turn: orNull(isNumber), seat: isText, reason: isText, chain: isText,
  facts: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
};

/** Checks that a list contains only objects of this shape. */
function checkRows(place, rows, shape, optional = []) {
  if (!Array.isArray(rows)) throw new Wrong(place, "must be a list");
  for (const [number, row] of rows.entries()) {
    const at = `${place}[${number}]`;
    if (typeof row !== "object" || row === null || Array.isArray(row)) throw new Wrong(at, "must be an object");
    checkFieldNames(`${at}.`, row, Object.keys(shape), optional);
    for (const [name, fits] of Object.entries(shape)) {
      if (name in row && !fits(row[name])) throw new Wrong(`${at}.${name}`, "has the wrong type for a record");
    }
  }
}

function checkKeys(record) {
  const isOlder = record.version === OLDER;
  checkFieldNames("", record, isOlder ? [...without(KEYS.record, "salts"), "seed_commitment"] : KEYS.record);
  checkRows("wizards", record.wizards, OF_A_WIZARD);
  checkRows("speeches", record.speeches, OF_A_SPEECH, ["removed"]);
  checkRows("acts", record.acts, OF_AN_ACT, ["at", "referee", "case", "turn", "seat", "reason", "facts"]);
  if (!["hmac", "recorded"].includes(record.dice?.kind)) throw new Wrong("dice.kind", "must be hmac or recorded");
  if (record.version !== VERSION && record.dice.kind !== "hmac") {
    throw new Wrong("dice.kind", "is recorded, but nothing shows that the duel began with these draws");
  }
  const draws = record.dice.kind === "recorded" ? ["draws"] : [];
  checkFieldNames("dice.", record.dice, ["kind", ...draws, isOlder ? "seed" : "seeds"]);
  for (const [number, seed] of (record.dice.seeds ?? []).entries()) checkFieldNames(`dice.seeds[${number}].`, seed, KEYS.seed);
  if (!isOlder && !["seed", "site"].includes(record.salts)) throw new Wrong("salts", "must be seed or site");
  const ofTurn = isOlder ? without(KEYS.turn, "roll_backs") : KEYS.turn;
  const wizards = record.wizards.map((_, seat) => `w${seat}`);
  for (const list of ["turns", "void_turns"]) {
    for (const [index, turn] of record[list].entries()) {
      const at = `${list}[${index}].`;
      checkFieldNames(at, turn, list === "turns" ? ofTurn : [...ofTurn, "voided_in"], ["rejected"]);
      if ("rejected" in turn && (record.version !== VERSION || !turn.rejected.length)) {
        throw new Wrong(`${at}rejected`, "must not be empty, and is not allowed in records of older versions");
      }
      for (const [number, seal] of (turn.rejected ?? []).entries()) {
        checkFieldNames(`${at}rejected[${number}].`, seal, KEYS.rejected);
        if (!wizards.includes(seal.wizard)) throw new Wrong(`${at}rejected[${number}].wizard`, "is not in this duel");
      }
      for (const [number, seal] of turn.seals.entries()) {
        checkFieldNames(`${at}seals[${number}].`, seal, KEYS.seal, ["removed"]);
        if (!SOURCES.includes(seal.source)) throw new Wrong(`${at}seals[${number}].source`, `must be ${SOURCES.join(" or ")}`);
        if (!wizards.includes(seal.wizard)) throw new Wrong(`${at}seals[${number}].wizard`, "is not in this duel");
        if (seal.removed && !Object.keys(seal.removed).length) {
          throw new Wrong(`${at}seals[${number}].removed`, "must not be empty");
        }
      }
      for (const [number, draw] of turn.draws.entries()) checkFieldNames(`${at}draws[${number}].`, draw, KEYS.draw);
    }
  }
  checkFieldNames("ended.", record.ended, KEYS.ended, ["markers", "seed_lost"]);
  if ((record.ended.seed_lost ?? true) !== true) throw new Wrong("ended.seed_lost", "must be true or missing");
}

function without(names, name) {
  return names.filter((each) => each !== name);
}

/** Checks that a part of the record has these keys and no others. */
function checkFieldNames(at, row, names, optional = []) {
  for (const name of Object.keys(row)) {
    if (!names.includes(name)) throw new Wrong(`${at}${name}`, "does not exist in a record of this version");
  }
  for (const name of names) {
    if (!(name in row) && !optional.includes(name)) throw new Wrong(`${at}${name}`, "is missing");
  }
}

// Seeds

/** Checks and returns the seeds in order. A rollback must have published a commitment to each seed but the first. */
async function checkSeeds(record) {
  const seeds = seedsOf(record);
  for (const [number, { seed }] of seeds.entries()) {
    if (seed !== null || (number === seeds.length - 1 && "seed_lost" in record.ended)) continue;
    const place = record.version === OLDER ? "dice.seed" : `dice.seeds[${number}].seed`;
    throw new Wrong(place, "is missing, but the record does not say that it was lost");
  }
  if (record.version === OLDER) {
    if (!isSeedLost(record)) checkEqual("seed_commitment", record.seed_commitment, await sha256(unhex(record.dice.seed)));
    return seeds;
  }
  if (!seeds.length || seeds[0].roll_backs !== 0) {
    throw new Wrong("dice.seeds", "must begin with the seed that the duel began with");
  }
  const committed = new Map();
  for (const [index, { facts }] of rollBacks(record).entries()) {
    if (facts?.seed_commitment !== undefined) committed.set(index + 1, facts.seed_commitment);
  }
  for (const [number, seed] of seeds.entries()) {
    const place = `dice.seeds[${number}]`;
    if (seed.seed !== null) checkEqual(`${place}.seed_commitment`, seed.seed_commitment, await sha256(unhex(seed.seed)));
    if (!number) continue;
    if (!(seed.roll_backs > seeds[number - 1].roll_backs)) {
      throw new Wrong(`${place}.roll_backs`, "is out of order with the seed before it");
    }
    if (committed.get(seed.roll_backs) !== seed.seed_commitment) {
      throw new Wrong(`${place}.roll_backs`, `rollback ${valueText(seed.roll_backs)} in the log did not commit to this seed`);
    }
    committed.delete(seed.roll_backs);
  }
  for (const number of committed.keys()) {
    throw new Wrong("dice.seeds", `lacks the seed that rollback ${number} committed to`);
  }
  for (const number of openSeeds(record, seeds)) {
    if (record.salts === "seed") {
      throw new Wrong("dice.seeds", `lacks a new seed for rollback ${number}, which came after the end of the duel`);
    }
  }
  return seeds;
}

/** Returns the logged rollbacks after which a finished duel continued with its public seed. */
function openSeeds(record, seeds) {
  const open = [];
  let number = 0;
  let isOver = false;
  for (const { act, facts } of record.acts) {
    if (["declare", "annul"].includes(act)) isOver = true;
    if (act !== "roll_back") continue;
    number += 1;
    if ((isOver || facts?.was) && !seeds.some((seed) => seed.roll_backs === number)) open.push(number);
    isOver = false;
  }
  return open;
}

function rollBacks(record) {
  return record.acts.filter((act) => act.act === "roll_back");
}

/** Returns the number of rollbacks in the log before this turn was opened. */
function rollBacksBefore(record, turn) {
  const before = rollBacks(record).slice(0, turn.voided_in ? turn.voided_in - 1 : undefined);
  return before.reduce((last, act, index) => (act.turn <= turn.ordinal ? index + 1 : last), 0);
}

// Turns

async function checkTurn(place, record, seeds, turn, before) {
  checkEqual(`${place}.ordinal`, turn.ordinal, before.ordinal);
  if (before.after) checkEqual(`${place}.position`, turn.position, before.after);
  if (!(before.closed_at <= turn.opened_at && turn.opened_at <= turn.closed_at)) {
    throw new Wrong(`${place}.opened_at`, "is out of order with the turn's other times");
  }
  const backs = rollBacksBefore(record, turn);
  if (record.version !== OLDER) checkEqual(`${place}.roll_backs`, turn.roll_backs, backs);
  const seed = seedAfter(seeds, backs);
  const made = new Map();
  for (const [number, seal] of turn.seals.entries()) {
    const key = JSON.stringify([seal.wizard, seal.stage, seal.batch]);
    await checkSeal(`${place}.seals[${number}]`, record, turn, seal, { backs, seed, before: made.get(key) ?? 0 });
    made.set(key, (made.get(key) ?? 0) + 1);
  }
  for (const [number, seal] of (turn.rejected ?? []).entries()) {
    const count = made.get(JSON.stringify([seal.wizard, seal.stage, seal.batch])) ?? 0;
    await checkRejected(`${place}.rejected[${number}]`, record, turn, seal, { backs, seed, before: count });
  }
  checkOrder(place, turn);
  const inForce = turn.seals.filter((seal) => !seal.superseded);
  const ofOrders = inForce.filter((seal) => seal.stage === "orders").sort((a, b) => compare(a.wizard, b.wizard));
  checkEqual(`${place}.commitments`, turn.commitments, ofOrders.map((seal) => seal.commitment));
  checkOrders(place, turn, inForce);
  for (const [number, draw] of seed === null ? [] : turn.draws.entries()) {
    const at = `${place}.draws[${number}]`;
    checkEqual(`${at}.value`, draw.value, await expectedDraw(at, record, seed, turn.commitments, draw));
  }
  const covered = linkedValues(place, record, turn);
  const hasSalt = !("seed_lost" in record.ended) || turn !== record.turns.at(-1);
  if (hasSalt && seed !== null) covered.salt = hex(await hmac(unhex(seed), `link ${turn.ordinal}`));
  if (!hasSalt || seed !== null) checkEqual(`${place}.chain`, turn.chain, await link(before.chain, covered));
  return { ordinal: before.ordinal + 1, chain: turn.chain, after: turn.after, closed_at: turn.closed_at };
}

/** Returns the values that a turn's link covers, except the salt. */
function linkedValues(place, record, turn) {
  const covered = Object.fromEntries(LINKED_TURN_FIELDS.map((name) => [name, turn[name]]));
  covered.acts = lastAct(`${place}.acts`, record, turn.acts);
  covered.seals = turn.seals.map((seal) => (
    Object.fromEntries(LINKED_SEAL_FIELDS.map((name) => [name, seal[name]]))
  ));
  if (turn.rejected) {
    covered.rejected = turn.rejected.map((seal) => (
      Object.fromEntries(LINKED_REJECTED_FIELDS.map((name) => [name, seal[name]]))
    ));
  }
  return { ...covered, ruleset: record.ruleset, options: record.options, salt: "" };
}

/** Returns the hash of the last act before a turn was closed, or "" if there was none. */
function lastAct(place, record, number) {
  if (number === 0) return "";
  const act = record.acts[number - 1];
  if (act === undefined) throw new Wrong(place, `is ${valueText(number)}, but there are ${record.acts.length}`);
  return act.chain;
}

/** Checks a seal. `from` has the seed and the numbers of rollbacks and seals before this one. */
async function checkSeal(place, record, turn, seal, from) {
  if ([seal.fields, seal.salts, seal.hashes].includes(null)) { // the seal's key was lost, and it was never played
    for (const part of ["fields", "salts", "hashes"]) {
      if (seal[part] !== null || !seal.superseded) throw new Wrong(`${place}.${part}`, "must not be opened, or is missing");
    }
    return;
  }
  if (isChosen(seal) && record.salts === "seed") throw new Wrong(`${place}.fields.${CHANCE}`, "is missing");
  const where = `duel ${record.duel} turn ${turn.ordinal} wizard ${seal.wizard} ${seal.stage} ${seal.batch}`
    + (isChosen(seal) ? "" : ` roll backs ${from.backs}`);
  checkEqual(`${place}.fields.${PLACE}`, seal.fields[PLACE], where);
  const isBySeed = !isChosen(seal) && from.seed !== null;
  if (!isChosen(seal)) await checkSalts(place, seal, from);
  for (const [name, value] of Object.entries(seal.fields)) {
    for (const part of ["salts", "hashes"]) {
      if (!(name in seal[part])) throw new Wrong(`${place}.${part}.${name}`, "is missing");
    }
    const found = await fieldCommitment(seal.salts[name], name, value);
    if (found !== seal.hashes[name]) {
      throw new Wrong(`${place}.${await wrongPart(turn, seal, name, found, isBySeed)}.${name}`, "is not what was sealed");
    }
  }
  for (const part of ["hashes", "salts"]) {
    for (const name of Object.keys(seal[part])) {
      const closed = "rejected_at" in seal ? ["say"] : Object.keys(seal.removed ?? {});
      const isRemoved = part === "hashes" && closed.includes(name);
      if (!(name in seal.fields) && !(part === "salts" && name === PAD) && !isRemoved) {
        throw new Wrong(`${place}.${part}.${name}`, "does not belong to any field");
      }
    }
  }
  const found = await commitmentOver(Object.values(seal.hashes), seal.salts);
  if (found !== seal.commitment && turn.commitments.includes(seal.commitment)) {
    if (isBySeed) throw new Wrong(`${place}.fields`, "are too few or too many");
    throw new Wrong(`${place}.salts.${PAD}`, "or the list of fields is not what was sealed");
  }
  checkEqual(`${place}.commitment`, seal.commitment, found);
}

/** Checks a seal that the site rejected. Its salts are those that it would have had if accepted. */
async function checkRejected(place, record, turn, seal, { backs, seed, before }) {
  if (!(seal.before <= before)) throw new Wrong(`${place}.before`, `is ${valueText(seal.before)}, but there are ${before} seals`);
  if (!(turn.opened_at <= seal.rejected_at && seal.rejected_at <= turn.closed_at)) {
    throw new Wrong(`${place}.rejected_at`, "does not fit the times of its turn");
  }
  if (seal.fields && isChosen(seal)) throw new Wrong(`${place}.fields.${CHANCE}`, "is missing");
  await checkSeal(place, record, turn, { ...seal, superseded: true }, { backs, seed, before: seal.before });
}

/** Returns whether the site chose this seal's salts. Newer versions derive salts from the seed. */
function isChosen(seal) {
  return !(CHANCE in seal.fields);
}

/** Checks that the seed gives these salts, and that `chance` has the right format. */
async function checkSalts(place, seal, { seed, before }) {
  if (!/^([0-9a-f]{32})?$/.test(seal.fields[CHANCE])) {
    throw new Wrong(`${place}.fields.${CHANCE}`, "must be 32 hexadecimal digits or empty");
  }
  if (seed === null) return;
  for (const name of [...Object.keys(seal.fields), PAD]) {
    if (!(name in seal.salts)) throw new Wrong(`${place}.salts.${name}`, "is missing");
    const found = await hmac(unhex(seed), canonical(["salt", seal.fields[PLACE], before, name]));
    checkEqual(`${place}.salts.${name}`, seal.salts[name], hex(found));
  }
}

/** Returns the key of the wrong part of a sealed field. `isBySeed`: whether its salt is right. */
async function wrongPart(turn, seal, name, found, isBySeed) {
  const hashes = { ...seal.hashes, [name]: found };
  if ((await commitmentOver(Object.values(hashes), seal.salts)) === seal.commitment) return "hashes";
  if (isBySeed) return "fields";
  if (seal.superseded || name === PLACE || !turn.played) return name === PLACE ? "salts" : "fields";
  const known = seal.stage === "orders" ? turn.orders[seal.wizard] ?? {} : turn.answers;
  return known[name] === seal.fields[name] ? "salts" : "fields";
}

/** Checks the times, and that only a wizard's last seal for a stage and batch is in force. */
function checkOrder(place, turn) {
  const last = new Map();
  for (const [number, seal] of turn.seals.entries()) {
    const at = `${place}.seals[${number}]`;
    const key = JSON.stringify([seal.wizard, seal.stage, seal.batch]);
    const earlier = last.get(key);
    if (earlier && !earlier.superseded) throw new Wrong(`${at}.superseded`, "an earlier seal is still in force");
    const since = earlier ? earlier.sealed_at : turn.opened_at;
    if (!(since <= seal.sealed_at && seal.sealed_at <= turn.closed_at)) {
      throw new Wrong(`${at}.sealed_at`, "does not fit the times of its turn");
    }
    if ((seal.taken_back_at ?? seal.sealed_at) < seal.sealed_at) {
      throw new Wrong(`${at}.taken_back_at`, "is before it was sealed");
    }
    last.set(key, seal);
  }
}

/** Checks that the played orders are the sealed ones, except those of wizards who have left. */
function checkOrders(place, turn, inForce) {
  const answers = {};
  const gone = [...turn.resigned, ...turn.forfeited, ...turn.removed];
  for (const seal of [...inForce].sort((a, b) => a.batch - b.batch)) {
    const { [PLACE]: _, [CHANCE]: __, ...sealed } = seal.fields;
    if (seal.stage === "answers") Object.assign(answers, turn.played ? sealed : {});
    else if (seal.wizard in turn.orders) checkSealed(`${place}.orders.${seal.wizard}`, turn.orders[seal.wizard], sealed);
    else if (turn.played && !gone.includes(seal.wizard)) throw new Wrong(`${place}.orders.${seal.wizard}`, "are missing");
  }
  for (const wizard of Object.keys(turn.orders)) {
    if (!inForce.some((seal) => seal.stage === "orders" && seal.wizard === wizard)) {
      throw new Wrong(`${place}.orders.${wizard}`, "were never sealed");
    }
  }
  checkSealed(`${place}.answers`, turn.answers, answers);
}

function checkSealed(place, stated, sealed) {
  for (const name of Object.keys({ ...stated, ...sealed }).sort(compare)) checkEqual(`${place}.${name}`, stated[name], sealed[name]);
}

// Other parts

async function checkVoidTurns(record, seeds, branches) {
  const following = new Map();
  const order = [...record.void_turns.entries()]
    .sort(([, a], [, b]) => b.voided_in - a.voided_in || a.ordinal - b.ordinal);
  for (const [index, turn] of order) {
    const later = [...following.keys()].map((key) => JSON.parse(key))
      .filter(([back, at]) => at === turn.ordinal && back >= turn.voided_in);
    const nearest = Math.min(...later.map(([back]) => back));
    const before = later.length ? following.get(JSON.stringify([nearest, turn.ordinal])) : branches[turn.ordinal - 1];
    if (!before) throw new Wrong(`void_turns[${index}].ordinal`, "does not follow a turn");
    const key = JSON.stringify([turn.voided_in, turn.ordinal + 1]);
    following.set(key, await checkTurn(`void_turns[${index}]`, record, seeds, turn, before));
  }
}

async function checkActs(record) {
  let before = "";
  for (const [index, { chain, ...covered }] of record.acts.entries()) {
    checkEqual(`acts[${index}].ordinal`, covered.ordinal, index + 1);
    before = await link(before, covered);
    checkEqual(`acts[${index}].chain`, chain, before);
  }
}

async function checkEnd(record, before) {
  const { chain, ...covered } = record.ended;
  covered.void_turns = record.void_turns.map((turn) => [turn.voided_in, turn.chain]);
  covered.acts = record.acts.at(-1)?.chain ?? "";
  covered.unopened = everyTurn(record).flatMap((turn) => turn.seals)
    .filter((seal) => seal.fields === null).map((seal) => seal.commitment);
  if ("seed_lost" in record.ended) {
    covered.turns = await Promise.all(everyTurn(record).map((turn) => link(turn.chain, linkedValues("turns", record, turn))));
  }
  const found = await link(before, covered);
  checkEqual("ended.chain", chain, found);
  return found;
}

function everyTurn(record) {
  return [...record.turns, ...record.void_turns];
}

function checksMade(record) {
  const turns = everyTurn(record);
  const seals = turns.flatMap((turn) => turn.seals);
  const superseded = seals.filter((seal) => seal.superseded).length;
  const fields = seals.reduce((sum, seal) => sum + Object.keys(seal.fields ?? {}).length, 0);
  const seeds = seedsOf(record);
  const draws = countByKind(turns.flatMap((turn) => turn.draws.map((draw) => drawOrigin(record, seeds, turn, draw))));
  const salts = countByKind(turns.flatMap((turn) => turn.seals.map((seal) => saltOrigin(seeds, turn, seal))));
  const own = seals.filter((seal) => seal.fields?.[CHANCE]).length;
  return [
    `${count(seals.length, "seal")} with ${count(fields, "field")}, each matching its wizard’s commitment`
      + (superseded ? `; ${superseded} of them superseded` : ""),
    `their salts: ${salts}`,
    `${count(own, "seal")} with a random number from the wizard’s own browser`,
    `draws: ${draws}`,
    `${count(seeds.length, "seed")}, ${isSeedLost(record) ? "the last of them lost" : "each matching its commitment"}`,
    `${isSeedLost(record) ? "the last links of " : ""}the chain of ${count(record.turns.length, "turn")}`
      + (record.void_turns.length ? ` and ${count(record.void_turns.length, "void turn")}` : ""),
    ...openSeeds(record, record.dice.seeds ?? []).map(
      (number) => `after rollback ${number} the duel continued with a seed that was already public`,
    ),
    `${count(record.acts.length, "referee action")}`,
  ];
}

const LOST = "as stated, without the seed, which is lost";

/** Returns the origin of a seal's salts as text, as far as it can be checked. */
function saltOrigin(seeds, turn, seal) {
  if (seal.fields === null) return "not opened";
  if (isChosen(seal)) return "chosen by the site";
  return seedAfter(seeds, turn.roll_backs) === null ? LOST : "from the committed seed";
}

/** Returns the origin of a draw as text, as far as it can be checked. */
function drawOrigin(record, seeds, turn, draw) {
  if (Object.hasOwn(record.dice.draws ?? {}, draw.label)) return "set in advance, not random";
  return seedAfter(seeds, turn.roll_backs ?? 0) === null ? LOST : "from the committed seed";
}

/** Returns the number of items of each kind, as text. */
function countByKind(kinds) {
  return [...new Set(kinds)].sort(compare)
    .map((kind) => `${kinds.filter((each) => each === kind).length} ${kind}`).join("; ") || "none";
}

function count(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// Dice

/** Returns the result of this draw, computed from the dice. */
async function expectedDraw(place, { dice, version }, seed, commitments, draw) {
  if (dice.kind === "recorded") {
    if (Object.hasOwn(dice.draws, draw.label)) return dice.draws[draw.label];
    if (version === OLDER) throw new Wrong(`${place}.label`, "was not set in advance");
  }
  if (!(draw.sides >= 1)) throw new Wrong(`${place}.sides`, "must be 1 or more");
  const sides = BigInt(draw.sides);
  const bound = 2n ** 64n - (2n ** 64n % sides);
  for (let counter = 0; ; counter += 1) {
    const message = [...commitments, draw.label, String(counter)].join("\0");
    const digest = await hmac(unhex(seed), message);
    const value = new DataView(digest).getBigUint64(0);
    if (value < bound) return Number(value % sides);
  }
}

// Hashes

async function fieldCommitment(salt, name, value) {
  return sha256(joined(unhex(salt), bytesOf.encode(canonical([name, value]))));
}

/** Returns a seal's commitment, computed from the hashes of its fields. */
async function commitmentOver(hashes, salts) {
  const all = [...hashes];
  if (PAD in salts) {
    for (let number = 1; all.length % WIDTH; number += 1) {
      all.push(await fieldCommitment(salts[PAD], `${PAD} ${number}`, ""));
    }
  }
  return sha256(joined(...all.sort(compare).map(unhex)));
}

async function link(previous, covered) {
  return sha256(bytesOf.encode(previous + canonical(covered)));
}

async function sha256(bytes) {
  return hex(await crypto.subtle.digest("SHA-256", bytes));
}

async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return crypto.subtle.sign("HMAC", imported, bytesOf.encode(message));
}

/** Returns the canonical JSON of a value: keys sorted by code points, no spaces. */
export function canonical(value) {
  if (value instanceof Literal) return value.text;
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") {
    if (value === undefined) throw new Error("something is missing");
    return JSON.stringify(value);
  }
  const keys = Object.keys(value).sort(compare);
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

/** A number that JavaScript would write differently: 1.0, or one that is too large. */
class Literal {
  constructor(text) {
    this.text = text;
  }
}

function keptNumber(key, value, context) {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && source !== String(value) ? new Literal(source) : value;
}

/** Compares by code points, like Python. JavaScript itself compares UTF-16 code units. */
function compare(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    if (left[at] !== right[at]) return left[at].codePointAt(0) - right[at].codePointAt(0);
  }
  return left.length - right.length;
}

function checkEqual(place, stated, found) {
  if (stated !== found && (stated === undefined || found === undefined || canonical(stated) !== canonical(found))) {
    throw new Wrong(place, `is ${valueText(stated)}, but should be ${valueText(found)}`);
  }
}

function valueText(value) {
  return value === undefined ? "missing" : canonical(value).slice(0, 200);
}

function joined(...parts) {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function unhex(text) {
  if (typeof text !== "string" || !/^([0-9a-f]{2})+$/.test(text)) throw new Error("hexadecimal digits are missing");
  return Uint8Array.from(text.match(/../g), (pair) => parseInt(pair, 16));
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
