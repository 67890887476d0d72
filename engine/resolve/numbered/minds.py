"""Mind spells if extra turns have their own numbers. rules: W14, W16, W17, W26"""

from engine.events import MindsClashed
from engine.position import FOREVER, Effect
from engine.resolve.close import binding_of, minds_to_bind
from engine.resolve.event_factories import enchanted
from engine.resolve.table import Being, Casting, Table, unseen_by


def settle_older_minds(table: Table) -> None:
    """Settle mind spells on a being that an older one already binds.

    A permanent one keeps the new one out. One that waits during an extra turn cancels with it.
    rules: W17, W26
    """
    for subject, casts in table.casts_reaching.items():
        minds = [cast for cast in casts if cast.spell.mind]
        being = table.position.being(subject)
        if not minds or being is None:
            continue
        kind = next((kind for kind in table.rules.mind_spells if is_older(table, being, kind)), "")
        if not kind:
            continue
        lasts = being.effects[kind].permanent
        for cast in minds:
            casts.remove(cast)
            table.fail(cast, "mind_lasts" if lasts else "mind_waits")
        if not lasts:
            del being.effects[kind]
            if table.emit:
                table.emit(MindsClashed(being.id, (kind, minds[0].spell.id)))


def is_older(table: Table, being: Being, kind: str) -> bool:
    """Return whether a mind spell of this kind is permanent or waits for an extra turn."""
    effect = being.effects.get(kind)
    if effect is None:
        return False
    return effect.permanent or effect.last > table.turn


def bind_minds(table: Table) -> None:
    """Bind the subjects of successful mind spells on the next turn. rules: W16"""
    for being, cast in minds_to_bind(table):
        bind_mind(table, being, cast)


def bind_mind(table: Table, being: Being, cast: Casting) -> None:
    """Let one mind spell act on one being on the next turn, or from then on."""
    kind, first = cast.spell.id, table.turn + 1
    hand = binding_of(table, being, cast).hand
    being.effects[kind] = Effect(
        first,
        FOREVER if cast.permanent else first,
        cast.master,
        cast.permanent,
        hand,
        unseen_by=unseen_by(table.position, being, cast),
    )
    if table.emit:
        table.emit(enchanted(being.id, kind, cast.master, cast.permanent, hand))
