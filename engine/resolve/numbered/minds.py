"""Mind spells in rulesets with numbered extra turns. rules: W14, W16, W17, W26"""

from engine.events import MindsClashed
from engine.positions.position import FOREVER, Effect
from engine.resolve.close import mind_spell_constraints, mind_spells_for_next_turn
from engine.resolve.event_factories import enchanted
from engine.resolve.table import Being, Casting, Table, unseen_by


def cancel_by_older_mind_spells(table: Table) -> None:
    """Resolve mind spells cast at a being that is under an older mind spell.

    If the older spell is permanent, new ones fail. If it waits during an extra turn, it and a new
    one cancel each other. rules: W17, W26
    """
    for subject, casts in table.casts_reaching.items():
        minds = [cast for cast in casts if cast.spell.mind]
        being = table.position.being(subject)
        if not minds or being is None:
            continue
        kind = next(
            (kind for kind in table.rules.mind_spells if has_older_mind_spell(table, being, kind)),
            "",
        )
        if not kind:
            continue
        lasts = being.effects[kind].permanent
        table.fail_each(casts, minds, "mind_lasts" if lasts else "mind_waits")
        if not lasts:
            del being.effects[kind]
            table.report(MindsClashed, being.id, (kind, minds[0].spell.id))


def has_older_mind_spell(table: Table, being: Being, kind: str) -> bool:
    """Return whether the being's mind spell of this kind is permanent or still waiting."""
    effect = being.effects.get(kind)
    if effect is None:
        return False
    return effect.permanent or effect.last > table.turn


def apply_minds_to_next_turn(table: Table) -> None:
    """Make successful mind spells act from the next turn on. rules: W16"""
    for being, cast in mind_spells_for_next_turn(table):
        apply_mind_to_next_turn(table, being, cast)


def apply_mind_to_next_turn(table: Table, being: Being, cast: Casting) -> None:
    """Make one mind spell act on a being on the next turn, or permanently from then on."""
    kind, first = cast.spell.id, table.turn + 1
    hand = mind_spell_constraints(table, being, cast).hand
    being.effects[kind] = Effect(
        first,
        FOREVER if cast.permanent else first,
        cast.master,
        cast.permanent,
        hand,
        unseen_by=unseen_by(table.position, being, cast),
    )
    table.report(enchanted, being.id, kind, cast.master, cast.permanent, hand)
