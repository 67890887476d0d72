"""Cautions about spells that have no effect, and about the wizard's own spells that clash.

rules: turn:landing, turn:guards, R8, R14, R36-R42, R52, R67, R70, R77, R94, R95, R150, W33, W36,
W38
"""

from collections.abc import Iterator, Mapping
from typing import Final

from engine.advice.foreseen_orders import ForeseenOrders
from engine.events import Cast, Failed, Guarded, StormSpent
from engine.gestures import BANK, BOTH, HAND_NAMES
from engine.ids import FUTURE_BEINGS
from engine.legality.scope import NOWHERE
from engine.positions.position import Monster
from engine.rules_text.wording import and_list
from engine.rulesets.choices import MissRule
from engine.sheet.sheet_types import Caution
from engine.spellbook import AffectedBeings, RemovalEffect

FAILURE_CAUTIONS: Final[Mapping[str, tuple[str, str, str]]] = {
    "dispelled": ("dispels_own", "spell:dispel_magic", "your own Dispel Magic stops all other spells"),
    "countered": ("counters_own", "spell:counter_spell", "your own {counter} covers {whom}"),
    "removed": ("removes_own", "R52", "your own {remove} sweeps it off {whom}"),
    "cured": ("cures_own", "R90", "your own Cure Heavy Wounds heals it on the spot"),
    "raised": ("rises_clean", "R137", "{whom} {rises} free of all enchantments"),
    "mind_conflict": ("minds_clash", "R77", "it and another of your spells on {whose} mind cancel each other"),
    "mind_lasts": ("mind_lasts", "W26", "a permanent spell keeps all others off {whose} mind"),
    "mind_waits": ("mind_waits", "W17", "it and the spell waiting on {whose} mind cancel each other"),
    "too_early": ("too_early", "W36", "{whom} does not exist yet when it works"),
    "mind_in_force": ("mind_in_force", "R78", "another spell is already at work on {whose} mind this turn"),
    "two_charmers": ("same_mind_twice", "R76", "two of them at {whom} cancel each other"),
    "opposed": ("opposed", "R59", "a Finger of Death and a Raise Dead on {whom} cancel each other"),
    "already": ("raised_twice", "R124", "{whom} {is} raised by another of your spells"),
    "spent": ("bolt_spent", "R18", "made this way, it works only once in a battle, and you have used it"),
    "corpse": ("corpse", "R150", "{whom} {is} dead, unless a rival raises it this turn"),
    "no_subject": ("lost_subject", "R14", "{whom} will not be there"),
    "blind": ("blind", "R94", "you are blind, and spells that the blind cast at others are lost"),
    "unseen": ("unseen", "R95", "{whom} cannot be seen this turn"),
    "invisible": ("unseen", "R95", "{whom} cannot be seen this turn"),
    "shield": ("shielded", "turn:shield", "{whom} {is} shielded this turn"),
    "resists": ("resisted", "spell:resist_heat", "{whom} {resists} heat"),
    "storm": ("fireball_under_ice", "R67", "it and your own Ice Storm cancel each other around {whom}"),
    "mirrors": ("mirrors_own", "R41", "it breaks between two of your mirrors"),
    "no_master": ("mirrors_own", "R43", "it comes back from {whose} mirror and obeys nobody"),
    "powerless": ("powerless", "R24", "a Sacrifice has no effect in this duel"),
    "nothing_given": ("nothing_given", "R24", "you do not give up a monster for it"),
}  # fmt: skip
"""The caution for each cause of a failure: its code, its rule and the end of its sentence."""

SACRIFICE_FAILURES: Final = ("nothing_given",)
CAUSES_FROM_OWN_SPELLS: Final = (
    "dispelled",
    "countered",
    "removed",
    "cured",
    "mind_conflict",
    "opposed",
)


def failure_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield a caution for every cast that will have no effect, as far as its caster can know."""
    for cast in foreseen.casts:
        spell = foreseen.spell_of_cast(cast)
        is_lost = not spell.is_area and spell.unmakes is not RemovalEffect.MAGIC
        if cast.subject == NOWHERE and is_lost:
            yield foreseen.caution("nowhere", cast, "has no target and does nothing.", "R8")
    for failed, event in foreseen.failures:
        if event.cause == "nowhere" or failure_depends_on_rival(foreseen, failed, event):
            continue
        if failed is not None:
            yield failed_cast_caution(foreseen, failed, event)
        elif foreseen.has_haste_row and event.cause in CAUSES_FROM_OWN_SPELLS:
            yield haste_row_caution(foreseen, event)
    for back, reflection in foreseen.sent_back:
        if all(back is not each for each, _ in foreseen.failures):
            whom = foreseen.names(reflection.subject)
            text = f"comes back to you: your own Magic Mirror guards {whom}."
            yield foreseen.caution("mirrors_own", back, text, "spell:magic_mirror")
    yield from lost_shield_cautions(foreseen)
    yield from cancelled_storm_cautions(foreseen)


def failure_depends_on_rival(foreseen: ForeseenOrders, cast: Cast | None, event: Failed) -> bool:
    """Return whether the failure depends on a monster that a rival may or may not make.

    If the cast comes too early for a monster of this turn, it is lost whatever the rival does.
    rules: R14, W36, W38
    """
    made = FUTURE_BEINGS.get(cast.subject) if cast else None
    is_rivals = made is not None and made.maker != foreseen.own.id
    return is_rivals and event.cause != "too_early"


def failed_cast_caution(foreseen: ForeseenOrders, cast: Cast, event: Failed) -> Caution:
    field = "sacrifice" if event.cause in SACRIFICE_FAILURES else foreseen.subject_field(cast)
    if event.cause == "unsuitable":
        rule, why = unsuitable_subject_reason(foreseen, cast)
        text = (
            f"{foreseen.cast_phrase(cast)} does nothing to {foreseen.names(cast.subject)}: {why}."
        )
        return Caution("no_effect", rule, text, field)
    code, rule, _ = FAILURE_CAUTIONS[event.cause]
    why = no_monster_reason(event) or failure_reason(foreseen, event)
    if event.cause == "mind_conflict" and foreseen.position.rules.same_minds_cancel:
        rule = "W14"
    elif event.cause == "too_early" and foreseen.spell_of_cast(cast).monster:
        rule = "W38"
    return Caution(code, rule, f"{foreseen.cast_phrase(cast)} does nothing: {why}.", field)


def no_monster_reason(event: Failed) -> str:
    """Return the reason if the wizard's hand does not make the targeted monster, or ""."""
    made = FUTURE_BEINGS.get(event.subject)
    if made is None or event.cause != "no_subject":
        return ""
    does = "do" if made.hand == BOTH else "does"
    return f"your {HAND_NAMES[made.hand]} {does} not make a monster"


def haste_row_caution(foreseen: ForeseenOrders, event: Failed) -> Caution:
    """Return the caution about a haste row's spell that fails under these orders. rules: R97"""
    code, rule, _ = FAILURE_CAUTIONS[event.cause]
    name = foreseen.position.rules.spells[event.spell].name
    text = f"The {name} of your haste row does nothing: {failure_reason(foreseen, event)}."
    return Caution(code, rule, text)


def failure_reason(foreseen: ForeseenOrders, event: Failed) -> str:
    """Return the reason for the failure, as the end of a sentence."""
    id, names, rules = event.subject, foreseen.names, foreseen.position.rules
    you = id == foreseen.own.id
    _, _, reason = FAILURE_CAUTIONS[event.cause]
    return reason.format(
        whom=names(id),
        whose=names.possessive(id),
        counter=rules.spells[rules.countering].name if rules.countering else "",
        remove=rules.spells[rules.removing].name if rules.removing else "",
        rises="rise" if you else "rises",
        resists="resist" if you else "resists",
        **{"is": "are" if you else "is"},
    )


def unsuitable_subject_reason(foreseen: ForeseenOrders, cast: Cast) -> tuple[str, str]:
    """Return the rule and the reason why the spell cannot affect its subject."""
    spell, being = foreseen.spell_of_cast(cast), foreseen.being_before_turn(cast.subject)
    if isinstance(being, Monster) and being.is_elemental:
        if spell.monster:
            return "R62", "monsters cannot be summoned for an elemental"
        if spell.resists:
            return "R69", "it has no effect on that kind of elemental"
        return "R70", "elementals are immune to it"
    if spell.works is AffectedBeings.WIZARDS:
        return spell.rule, "it works on wizards only"
    rule = "R12" if spell.takes_over else spell.rule
    return rule, "it works on monsters only"


def lost_shield_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield a caution for every Dispel Magic that does not shield its unseen subject. rules: W33"""
    rules = foreseen.position.rules
    if rules.misses is not MissRule.ALL_AIMED:
        return
    shielded = {(e.subject, e.spell) for e in foreseen.events if isinstance(e, Guarded)}
    for cast in foreseen.effective_casts():
        is_dispelling = foreseen.spell_of_cast(cast).unmakes is RemovalEffect.MAGIC
        subject = foreseen.being_id(cast.subject)
        being = foreseen.position.being(subject)
        if not is_dispelling or subject == foreseen.own.id or (subject, cast.spell) in shielded:
            continue
        whom = foreseen.names(cast.subject)
        if rules.blinding in foreseen.own.effects:
            why = "you are blind"
        elif being is not None and rules.hiding in being.effects:
            why = f"{whom} cannot be seen this turn"
        else:
            continue
        text = f"stops magic, but does not shield {whom}: {why}."
        yield foreseen.caution("shield_lost", cast, text, "W33")


def cancelled_storm_cautions(foreseen: ForeseenOrders) -> Iterator[Caution]:
    """Yield a caution if two of the wizard's own storms cancel each other. rules: R66"""
    spent = {event.spell for event in foreseen.events if isinstance(event, StormSpent)}
    storms = [cast for cast in foreseen.casts if cast.spell in spent]
    if len(spent) == 2 and storms:
        names = and_list(sorted(foreseen.position.rules.spells[id].name for id in spent))
        text = f"Your own {names} cancel each other."
        first = min(storms, key=lambda cast: cast.hand == BANK)
        yield Caution("storms_cancel", "R66", text, foreseen.spell_field(first))
