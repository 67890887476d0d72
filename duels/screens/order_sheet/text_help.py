"""Names for the examples in the help on text orders, so that players can copy the examples as they
are."""

from dataclasses import dataclass

from duels.template_values import TemplateValue
from engine.play import ALIVE, STANDING, View


@dataclass(frozen=True)
class TextHelp(TemplateValue):
    """The names of the reader, of one opponent, and of a monster if there is one."""

    me: str
    rival: str
    monster: str = ""


def text_help(view: View, wizard: str) -> TextHelp:
    """Return the names from this view. The opponent is the first one who is still in the duel."""
    others = [being for being in view.status if being.kind == "wizard" and being.id != wizard]
    standing = [being for being in others if being.state == STANDING]
    monsters = [each for each in view.status if each.kind != "wizard" and each.state == ALIVE]
    return TextHelp(
        me=view.names[wizard],
        rival=(standing or others)[0].name,
        monster=monsters[0].name if monsters else "",
    )
