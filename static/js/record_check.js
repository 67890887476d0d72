// Whether a duel's record proves what it says, computed in the browser: docs/RECORDS.md in code.
//
// Commitments, the seed, every draw, the order of seals, acts and the chain are computed here by
// SHA-256 and HMAC of the browser (WebCrypto). What no browser computes is which position a turn leads
// to: `NOT_HERE` names it, and `python -m engine verify` plays every turn again.

export const NOT_HERE = [
  "which position each turn leads to, and its hash",
  "which draws the rules call for",
  "damage, the result and markers",
];
const NOT_COVERED = ["names and pronouns of wizards", "words said between turns"];
const WITHOUT_SEED = "how the draws fell, and what the chain was while the duel ran: the seed is lost";

const OF_A_TURN = ["ordinal", "number", "kind", "opened_at", "closed_at", "release", "position", "after",
  "resigned", "forfeited", "removed", "played", "commitments", "draws", "acts"];
const OF_A_SEAL = ["wizard", "stage", "batch", "source", "sealed_at", "taken_back_at", "superseded",
  "commitment"];
const PLACE = "place";
const PAD = "pad";
const WIDTH = 32;
const bytesOf = new TextEncoder();

/** What is wrong with a record, and at which place in it. */
export class Wrong extends Error {
  constructor(place, text) {
    super(`${place}: ${text}`);
    this.place = place;
  }
}

/** What was checked, in lines, what is covered by nothing, and the last hash of the chain. Throws Wrong for the first
 * fault. */
export async function check(text) {
  let record;
  try {
    record = JSON.parse(text, keptNumber);
  } catch {
    throw new Wrong("record", "is no JSON");
  }
  if (record?.format !== "spellcaster-record") throw new Wrong("format", "is none of a record");
  if (record.version !== 2) throw new Wrong("version", "must be 2");
  try {
    return await checked(record);
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong("record", `is malformed (${error.message})`);
  }
}

async function checked(record) {
  keysChecked(record);
  if (!lost(record)) same("seed_commitment", record.seed_commitment, await sha256(unhex(record.dice.seed)));
  else if (!("seed_lost" in record.ended)) throw new Wrong("dice.seed", "is missing, and the end does not say that it was lost");
  const first = {
    duel: record.duel, ruleset: record.ruleset, options: record.options,
    wizards: record.wizards.length, setup: record.setup,
  };
  same("chain", record.chain, await link(record.seed_commitment, first));
  await actsChecked(record);
  const branches = [{ ordinal: 1, chain: record.chain, after: "", closed_at: "" }];
  for (const [index, turn] of record.turns.entries()) {
    branches.push(await turnChecked(`turns[${index}]`, record, turn, branches[index]));
  }
  await voidTurnsChecked(record, branches);
  const end = await endChecked(record, branches.at(-1).chain);
  return { lines: told(record), notCovered: lost(record) ? [WITHOUT_SEED, ...NOT_COVERED] : NOT_COVERED, chain: end };
}

/** Whether nobody knows the seed of the dice. */
function lost(record) {
  return record.dice.seed === null;
}

// Everything in a record is named here: what is not, nobody would check.
const KEYS = {
  record: ["format", "version", "duel", "ruleset", "options", "wizards", "setup", "dice", "seed_commitment",
    "chain", "turns", "void_turns", "acts", "speeches", "ended"],
  turn: [...OF_A_TURN, "seals", "orders", "answers", "damage", "chain"],
  seal: [...OF_A_SEAL, "hashes", "fields", "salts"],
  draw: ["label", "sides", "value"],
  ended: ["how", "result", "at", "markers", "seed_lost", "chain"],
};

function keysChecked(record) {
  known("", record, KEYS.record);
  known("dice.", record.dice, record.dice.kind === "recorded" ? ["kind", "draws", "seed"] : ["kind", "seed"]);
  for (const list of ["turns", "void_turns"]) {
    for (const [index, turn] of record[list].entries()) {
      const at = `${list}[${index}].`;
      known(at, turn, list === "turns" ? KEYS.turn : [...KEYS.turn, "voided_in"]);
      for (const [number, seal] of turn.seals.entries()) known(`${at}seals[${number}].`, seal, KEYS.seal);
      for (const [number, draw] of turn.draws.entries()) known(`${at}draws[${number}].`, draw, KEYS.draw);
    }
  }
  known("ended.", record.ended, KEYS.ended, ["markers", "seed_lost"]);
  if ((record.ended.seed_lost ?? true) !== true) throw new Wrong("ended.seed_lost", "must be true, or not there");
}

/** Whether a part of the record has these names and no other. */
function known(at, row, names, optional = []) {
  for (const name of Object.keys(row)) {
    if (!names.includes(name)) throw new Wrong(`${at}${name}`, "is not known in a record");
  }
  for (const name of names) {
    if (!(name in row) && !optional.includes(name)) throw new Wrong(`${at}${name}`, "is missing");
  }
}

// Turns

async function turnChecked(place, record, turn, before) {
  same(`${place}.ordinal`, turn.ordinal, before.ordinal);
  if (before.after) same(`${place}.position`, turn.position, before.after);
  if (!(before.closed_at <= turn.opened_at && turn.opened_at <= turn.closed_at)) {
    throw new Wrong(`${place}.opened_at`, "is out of order with the turn's other times");
  }
  for (const [number, seal] of turn.seals.entries()) {
    await sealChecked(`${place}.seals[${number}]`, record, turn, seal);
  }
  orderChecked(place, turn);
  const inForce = turn.seals.filter((seal) => !seal.superseded);
  const ofOrders = inForce.filter((seal) => seal.stage === "orders").sort((a, b) => compare(a.wizard, b.wizard));
  same(`${place}.commitments`, turn.commitments, ofOrders.map((seal) => seal.commitment));
  ordersChecked(place, turn, inForce);
  for (const [number, draw] of lost(record) ? [] : turn.draws.entries()) {
    const at = `${place}.draws[${number}]`;
    same(`${at}.value`, draw.value, await drawn(at, record.dice, turn.commitments, draw));
  }
  const covered = linked(place, record, turn);
  const hasSalt = !("seed_lost" in record.ended) || turn !== record.turns.at(-1);
  if (hasSalt && !lost(record)) covered.salt = hex(await hmac(unhex(record.dice.seed), `link ${turn.ordinal}`));
  if (!hasSalt || !lost(record)) same(`${place}.chain`, turn.chain, await link(before.chain, covered));
  return { ordinal: before.ordinal + 1, chain: turn.chain, after: turn.after, closed_at: turn.closed_at };
}

/** What the link of a turn covers, with no salt. */
function linked(place, record, turn) {
  const covered = Object.fromEntries(OF_A_TURN.map((name) => [name, turn[name]]));
  covered.acts = lastAct(`${place}.acts`, record, turn.acts);
  covered.seals = turn.seals.map((seal) => Object.fromEntries(OF_A_SEAL.map((name) => [name, seal[name]])));
  return { ...covered, ruleset: record.ruleset, options: record.options, salt: "" };
}

/** The hash of the last act that was logged before a turn was closed; "" before the first. */
function lastAct(place, record, number) {
  if (number === 0) return "";
  const act = record.acts[number - 1];
  if (act === undefined) throw new Wrong(place, `is ${shown(number)}, but there are ${record.acts.length}`);
  return act.chain;
}

async function sealChecked(place, record, turn, seal) {
  if ([seal.fields, seal.salts, seal.hashes].includes(null)) { // its key was lost, and it was never played
    for (const part of ["fields", "salts", "hashes"]) {
      if (seal[part] !== null || !seal.superseded) throw new Wrong(`${place}.${part}`, "is not to be opened, or is missing");
    }
    return;
  }
  const where = `duel ${record.duel} turn ${turn.ordinal} wizard ${seal.wizard} ${seal.stage} ${seal.batch}`;
  same(`${place}.fields.${PLACE}`, seal.fields[PLACE], where);
  for (const [name, value] of Object.entries(seal.fields)) {
    for (const part of ["salts", "hashes"]) {
      if (!(name in seal[part])) throw new Wrong(`${place}.${part}.${name}`, "is missing");
    }
    const found = await fieldCommitment(seal.salts[name], name, value);
    if (found !== seal.hashes[name]) {
      throw new Wrong(`${place}.${await altered(turn, seal, name, found)}.${name}`, "is not what was sealed");
    }
  }
  for (const part of ["hashes", "salts"]) {
    for (const name of Object.keys(seal[part])) {
      if (!(name in seal.fields) && !(part === "salts" && name === PAD)) {
        throw new Wrong(`${place}.${part}.${name}`, "belongs to no field");
      }
    }
  }
  const found = await commitmentOver(Object.values(seal.hashes), seal.salts);
  if (found !== seal.commitment && turn.commitments.includes(seal.commitment)) {
    throw new Wrong(`${place}.salts.${PAD}`, "or which fields there are is not what was sealed");
  }
  same(`${place}.commitment`, seal.commitment, found);
}

/** Which part of a sealed field is wrong, as far as the rest of its turn can tell. */
async function altered(turn, seal, name, found) {
  const hashes = { ...seal.hashes, [name]: found };
  if ((await commitmentOver(Object.values(hashes), seal.salts)) === seal.commitment) return "hashes";
  if (seal.superseded || name === PLACE || !turn.played) return name === PLACE ? "salts" : "fields";
  const known = seal.stage === "orders" ? turn.orders[seal.wizard] ?? {} : turn.answers;
  return known[name] === seal.fields[name] ? "salts" : "fields";
}

/** Of each wizard, stage and batch one seal at most is in force, the last; times are in order. */
function orderChecked(place, turn) {
  const last = new Map();
  for (const [number, seal] of turn.seals.entries()) {
    const at = `${place}.seals[${number}]`;
    const key = JSON.stringify([seal.wizard, seal.stage, seal.batch]);
    const earlier = last.get(key);
    if (earlier && !earlier.superseded) throw new Wrong(`${at}.superseded`, "another seal before it is in force");
    const since = earlier ? earlier.sealed_at : turn.opened_at;
    if (!(since <= seal.sealed_at && seal.sealed_at <= turn.closed_at)) {
      throw new Wrong(`${at}.sealed_at`, "is out of order with the times of its turn");
    }
    if ((seal.taken_back_at ?? seal.sealed_at) < seal.sealed_at) {
      throw new Wrong(`${at}.taken_back_at`, "is before it was sealed");
    }
    last.set(key, seal);
  }
}

/** What was played is what was sealed, all of it. Who has left in the turn is played without. */
function ordersChecked(place, turn, inForce) {
  const answers = {};
  const gone = [...turn.resigned, ...turn.forfeited, ...turn.removed];
  for (const seal of [...inForce].sort((a, b) => a.batch - b.batch)) {
    const { [PLACE]: _, ...sealed } = seal.fields;
    if (seal.stage === "answers") Object.assign(answers, turn.played ? sealed : {});
    else if (seal.wizard in turn.orders) sealedChecked(`${place}.orders.${seal.wizard}`, turn.orders[seal.wizard], sealed);
    else if (turn.played && !gone.includes(seal.wizard)) throw new Wrong(`${place}.orders.${seal.wizard}`, "are missing");
  }
  for (const wizard of Object.keys(turn.orders)) {
    if (!inForce.some((seal) => seal.stage === "orders" && seal.wizard === wizard)) {
      throw new Wrong(`${place}.orders.${wizard}`, "were never sealed");
    }
  }
  sealedChecked(`${place}.answers`, turn.answers, answers);
}

function sealedChecked(place, stated, sealed) {
  for (const name of Object.keys({ ...stated, ...sealed }).sort(compare)) same(`${place}.${name}`, stated[name], sealed[name]);
}

// Beside the turns

async function voidTurnsChecked(record, branches) {
  const following = new Map();
  const order = [...record.void_turns.entries()]
    .sort(([, a], [, b]) => b.voided_in - a.voided_in || a.ordinal - b.ordinal);
  for (const [index, turn] of order) {
    const later = [...following.keys()].map((key) => JSON.parse(key))
      .filter(([back, at]) => at === turn.ordinal && back >= turn.voided_in);
    const nearest = Math.min(...later.map(([back]) => back));
    const before = later.length ? following.get(JSON.stringify([nearest, turn.ordinal])) : branches[turn.ordinal - 1];
    if (!before) throw new Wrong(`void_turns[${index}].ordinal`, "follows no turn");
    const key = JSON.stringify([turn.voided_in, turn.ordinal + 1]);
    following.set(key, await turnChecked(`void_turns[${index}]`, record, turn, before));
  }
}

async function actsChecked(record) {
  let before = "";
  for (const [index, { chain, ...covered }] of record.acts.entries()) {
    same(`acts[${index}].ordinal`, covered.ordinal, index + 1);
    before = await link(before, covered);
    same(`acts[${index}].chain`, chain, before);
  }
}

async function endChecked(record, before) {
  const { chain, ...covered } = record.ended;
  covered.void_turns = record.void_turns.map((turn) => [turn.voided_in, turn.chain]);
  covered.acts = record.acts.at(-1)?.chain ?? "";
  covered.unopened = everyTurn(record).flatMap((turn) => turn.seals)
    .filter((seal) => seal.fields === null).map((seal) => seal.commitment);
  if ("seed_lost" in record.ended) {
    covered.turns = await Promise.all(everyTurn(record).map((turn) => link(turn.chain, linked("turns", record, turn))));
  }
  const found = await link(before, covered);
  same("ended.chain", chain, found);
  return found;
}

function everyTurn(record) {
  return [...record.turns, ...record.void_turns];
}

function told(record) {
  const turns = everyTurn(record);
  const seals = turns.flatMap((turn) => turn.seals);
  const superseded = seals.filter((seal) => seal.superseded).length;
  const fields = seals.reduce((sum, seal) => sum + Object.keys(seal.fields ?? {}).length, 0);
  const draws = turns.reduce((sum, turn) => sum + turn.draws.length, 0);
  const bySeed = lost(record) ? "as stated, by no seed: it is lost" : "each by the seed that was committed to";
  const thrown = record.dice.kind === "hmac" ? bySeed : "laid down beforehand, not thrown";
  return [
    `${count(seals.length, "seal")} with ${count(fields, "field")}: each is what its wizard was committed to`
      + (superseded ? `; ${superseded} of them superseded` : ""),
    `${count(draws, "draw")}, ${thrown}`,
    `${lost(record) ? "the last links of " : ""}the chain of ${count(record.turns.length, "turn")}`
      + (record.void_turns.length ? ` and ${count(record.void_turns.length, "void turn")}` : ""),
    `${count(record.acts.length, "act")} of referees`,
  ];
}

function count(number, word) {
  return `${number} ${word}${number === 1 ? "" : "s"}`;
}

// Dice

/** The number that the dice give for this draw. */
async function drawn(place, dice, commitments, draw) {
  if (dice.kind === "recorded") {
    if (!Object.hasOwn(dice.draws, draw.label)) throw new Wrong(`${place}.label`, "was never laid down");
    return dice.draws[draw.label];
  }
  if (!(draw.sides >= 1)) throw new Wrong(`${place}.sides`, "must be 1 or more");
  const sides = BigInt(draw.sides);
  const bound = 2n ** 64n - (2n ** 64n % sides);
  for (let counter = 0; ; counter += 1) {
    const message = [...commitments, draw.label, String(counter)].join("\0");
    const digest = await hmac(unhex(dice.seed), message);
    const value = new DataView(digest).getBigUint64(0);
    if (value < bound) return Number(value % sides);
  }
}

// Hashes

async function fieldCommitment(salt, name, value) {
  return sha256(joined(unhex(salt), bytesOf.encode(canonical([name, value]))));
}

/** The commitment of a seal, whose fields have these. */
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

/** The one JSON text of a value: keys sorted by their letters' numbers, no spaces. */
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

/** A number that JavaScript would write otherwise than the file does: 1.0, or one too large. */
class Literal {
  constructor(text) {
    this.text = text;
  }
}

function keptNumber(key, value, context) {
  const source = context?.source;
  return typeof value === "number" && source !== undefined && source !== String(value) ? new Literal(source) : value;
}

/** By code points, as Python compares: JavaScript compares halves of letters beyond U+FFFF. */
function compare(a, b) {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    if (left[at] !== right[at]) return left[at].codePointAt(0) - right[at].codePointAt(0);
  }
  return left.length - right.length;
}

function same(place, stated, found) {
  if (stated !== found && (stated === undefined || found === undefined || canonical(stated) !== canonical(found))) {
    throw new Wrong(place, `is ${shown(stated)}, but comes out as ${shown(found)}`);
  }
}

function shown(value) {
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
