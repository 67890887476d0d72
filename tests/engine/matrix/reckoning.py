"""The expected result of two spells on one turn, computed from the matrix without the engine.

First the statements of `together` decide which of the two spells take effect, and on whom. Then
each spell has its own effect, storms, stabs and monsters hit, and cures are deducted from damage.
"""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from tests.engine.matrix.book import ELEMENTS, Book, Statement
from tests.engine.matrix.scenes import (
    BANKED_SPELL,
    HAND_NAMING_SPELLS,
    HELD_HAND,
    SUBJECT,
    Facts,
    Scene,
    SpellCast,
    hand_named_by,
)

STRENGTH: Final = {"goblin": 1, "ogre": 2, "troll": 3, "giant": 4, "fire": 3, "ice": 3}
"""Damage of a monster's attack, which is also the damage that kills the monster."""

DEADLY_DAMAGE: Final = 15
NO_SET: Final = "--"
PARALYSED_GESTURES: Final = {"C": "F", "S": "D", "W": "P"}
"""Gestures that a paralysed hand makes instead of its last one; all others are repeated."""

EARLIER_EFFECTS: Final = ("attacks w0", "attacks w2", "attacks twice", "idle", "unseen by wizards")
"""Parts of an effect in force that have already happened this turn when the effect ends."""

STORMS: Final = ("fire_storm", "ice_storm")


@dataclass(slots=True)
class Being:
    """A wizard or monster in the calculation."""

    id: str
    kind: str
    damage: int
    controller: str = ""
    victim: str = ""
    state: str = "alive"  # "alive", "corpse", "dead", "gone"
    hurt: int = 0
    cured: int = 0
    is_shielded: bool = False
    is_doomed: bool = False  # destroyed at the end of the turn
    is_slain: bool = False
    under: dict[str, str] = field(default_factory=dict)
    guards: set[str] = field(default_factory=set)
    bank: str = ""
    is_broken: bool = False
    is_stopped: bool = False
    hidden_from: set[str] = field(default_factory=set)
    attacks: int = 1
    forced: str = ""  # victim forced by a mind spell
    is_hasted: bool = False  # attacks again after everyone's first attack
    strikes_again: bool = False  # attacks again at the end, despite protection

    @property
    def limit(self) -> int:
        return STRENGTH.get(self.kind, DEADLY_DAMAGE)

    @property
    def is_elemental(self) -> bool:
        return self.kind in ELEMENTS

    @property
    def column(self) -> str:
        if self.state == "corpse":
            return "corpse"
        return self.kind if self.kind == "wizard" or self.is_elemental else "giant"


@dataclass(eq=False, slots=True)
class Working:
    """One of the two spells, with its actual subject and its state."""

    cast: SpellCast
    subject: str
    chooser: str
    is_permanent: bool = False
    is_used: bool = False  # a window that has captured a spell
    is_ended: bool = False  # ended, except for effects that have already happened
    is_renewed: bool = False  # replaced by a new one of the same kind
    is_bare: bool = False  # does not shield its subject

    @property
    def is_storm(self) -> bool:
        return self.cast.spell in STORMS


class Reckoner:
    """The calculation of one scene with two spells, based on the matrix."""

    def __init__(
        self, book: Book, scene: Scene, casts: tuple[SpellCast, ...], hands: dict[str, str]
    ) -> None:
        self.book = book
        self.hands = hands
        self.scene = scene
        self.beings = {id: Being(id, "wizard", wound) for id, wound in scene.wounds.items()}
        for number, beast in enumerate(scene.beasts):
            state = "corpse" if beast.is_corpse else "alive"
            self.beings[f"m{number}"] = Being(
                f"m{number}", beast.kind, beast.damage, beast.controller, beast.victim, state
            )
        if book.numbered:
            self.disown()
        self.owners = {being.id: being.controller for being in self.beings.values()}
        self.held = casts[0].name if casts[0].is_held else ""
        self.working = [Working(cast, cast.subject, cast.caster) for cast in casts]
        self.newborn: list[Being] = []
        self.spared: set[tuple[str, str]] = set()  # storm, being
        self.sheltered: set[str] = set()
        self.doubtful: dict[Working, str] = {}  # spells whose effect depends on a storm
        self.unmade: set[str] = set()  # names of summonses whose monsters are destroyed
        self.melting: set[str] = set()
        self.revivers: dict[str, str] = {}  # the wizard who revives a being if it is destroyed
        self.storms: list[str] = []
        self.choosers: list[str] = []

    def facts(self) -> Facts:
        self.hide()
        self.catch()
        self.lose()
        self.meet()
        self.raise_corpse()
        for one in self.working:
            self.guard(one)
        for one in self.in_order():
            if one not in self.doubtful:
                self.put(one)
        self.heat_and_cold()
        self.resolve_doubts()
        self.strike()
        self.bury()
        return self.seen()

    def disown(self) -> None:
        """Remove the controllers of elementals."""
        for being in self.beings.values():
            if being.is_elemental:
                being.controller = ""

    # -- the effects of the two spells on each other

    def hide(self) -> None:
        """Drop spells that miss their subject."""
        pairs = permutations(self.working, 2)
        self.drop([other for one, other in pairs if self.says("hides", one, other)])

    def catch(self) -> None:
        """Move a spell that Delayed Effect captures into the bank."""
        caught = []
        for one, other in permutations(self.working, 2):
            if self.says("catches", one, other):
                self.beings[other.cast.caster].bank = other.cast.spell
                caught.append(other)
                one.is_used = True
        self.drop(caught)

    def lose(self) -> None:
        """Drop spells at a corpse that is not raised this turn."""
        if self.scene.column == "corpse" and not self.is_cast("raise_dead"):
            self.drop([one for one in self.working if not one.is_storm and not self.parts(one)])

    def is_cast(self, spell: str) -> bool:
        return spell in [one.cast.spell for one in self.working]

    def meet(self) -> None:
        """Apply all statements about the two spells together, except those about two storms."""
        stopped: list[Working] = []
        for one, other in permutations(self.working, 2):
            if self.says("stops", one, other):
                stopped.append(other)
            if self.says("void", one, other) and not one.is_storm:
                stopped += [one, other]
            if self.says("once", one, other) and one is self.working[0]:
                stopped.append(other)
            if self.says("spares", one, other):
                self.spared.add((other.cast.spell, one.subject))
            if self.says("neither", one, other):
                self.doubtful[one] = other.cast.spell
            if self.says("renews", one, other):
                other.is_renewed = True
            if self.says("ends", one, other):
                other.is_ended = True
            if self.says("unshields", one, other):
                other.is_bare = True
            if self.says("unmakes", one, other):
                self.unmade.add(other.cast.name)
            if self.says("extends", one, other):
                other.is_permanent = one.is_used = True
            if self.says("uses", one, other):
                one.is_used = True
            if self.says("returns", one, other) and other.cast.caster != other.cast.subject:
                other.chooser = self.owners[one.cast.subject] or one.cast.subject
                other.subject = other.cast.caster
        self.drop(stopped)

    def raise_corpse(self) -> None:
        """Raise a corpse, so that other spells affect it as a living being."""
        for one in list(self.working):
            if "raised" in self.parts(one):
                corpse = self.beings[one.subject]
                corpse.state, corpse.controller = "alive", one.cast.caster
                self.drop([one])

    def says(self, verdict: str, one: Working, other: Working) -> bool:
        """Return whether the book has this verdict on the two spells with these subjects."""
        return any(
            statement.verdict == verdict and self.holds(statement, one, other)
            for statement in self.book.between(one.cast.name, other.cast.name)
        )

    def holds(self, statement: Statement, one: Working, other: Working) -> bool:
        """Return whether the statement applies to these casters and subjects."""
        if statement.where == "anywhere":
            return True
        aimed_at = one.cast.subject
        by_another = other.cast.caster != other.cast.subject
        if statement.where.startswith("own spell"):
            own = other.cast.caster == aimed_at and not other.cast.is_released
            return own and (by_another or statement.where == "own spell")
        if aimed_at != other.cast.subject and not other.is_storm:
            return False
        match statement.where:
            case "wizard" | "corpse":
                return self.scene.column == statement.where
            case "not corpse" | "not wizard" | "not fire" | "not ice":
                return self.scene.column != statement.where.removeprefix("not ")
            case "not elemental":
                return self.scene.column not in ELEMENTS
            case "two casters":
                return one.cast.caster != other.cast.caster
            case "by another":
                return by_another
            case "gestured":
                return not other.cast.is_released
        return True

    def drop(self, gone: list[Working]) -> None:
        self.working = [one for one in self.working if one not in gone]

    # -- the effects of each spell by itself

    def parts(self, one: Working) -> tuple[str, ...]:
        return self.book.parts(one.cast.name, self.beings[one.subject].column)

    def guard(self, one: Working) -> None:
        """Protect the subject from elementals that this spell guards against."""
        subject = self.beings[one.subject]
        for element in ELEMENTS:
            for statement in self.book.between(one.cast.name, element):
                if statement.verdict == "shelters" and subject.kind == element:
                    self.sheltered.add(subject.id)
                if statement.verdict == "guards" and not subject.is_elemental:
                    subject.guards.add(element)

    def in_order(self) -> list[Working]:
        """Return the spells in order of casters' seats, or in stepwise play of subjects' seats."""
        if self.book.in_steps:
            return sorted(self.working, key=lambda one: one.subject)
        return self.working

    def put(self, one: Working) -> None:
        """Apply the parts of the spell, but do not let storms and monsters hit yet."""
        subject = self.beings[one.subject]
        for part in self.parts(one):
            is_done = part in EARLIER_EFFECTS or (self.book.numbered and part == "unseen")
            if not one.is_ended or is_done:
                self.do(one, subject, part)

    def do(self, one: Working, subject: Being, part: str) -> None:
        match part.split():
            case ["shield"]:
                subject.is_shielded |= not one.is_bare
            case ["hurt", amount]:
                subject.hurt += int(amount)
            case ["cure", amount]:
                subject.cured += int(amount)
            case ["all", "hurt", _]:
                self.storms.append(one.cast.spell)
            case ["dies"]:
                subject.is_slain = True
            case ["goes"]:
                subject.is_doomed = True
            case ["monsters", "go"]:
                for being in self.beings.values():
                    being.is_doomed = being.kind != "wizard"
            case ["vanishes"]:
                subject.state = "gone"
            case ["melts"]:
                self.melting.add(subject.id)
            case ["revives"]:
                self.revivers[subject.id] = one.cast.caster
            case ["obeys"]:
                subject.controller = one.chooser
                if not self.book.numbered:
                    subject.victim = ""
            case ["makes", kind]:
                self.make(one, subject, kind)
            case ["breaks"]:
                subject.is_broken = True
            case ["unseen", *by]:
                subject.hidden_from |= {by[-1]} if by else {"wizards", "monsters"}
            case ["banked"]:
                subject.bank = BANKED_SPELL
            case ["idle"]:
                subject.attacks = 0
            case ["attacks", "twice"] if self.book.numbered:
                subject.is_hasted = True
            case ["attacks", "twice"]:
                subject.attacks = 2
            case ["strikes", "again"]:
                subject.strikes_again = True
            case ["attacks", whom]:
                subject.forced = whom
            case ["extra", "turn"]:
                subject.is_stopped = True
            case ["hasted", "turn"]:
                subject.is_hasted = True
            case [kind, "for", span]:
                if not one.is_used and not one.is_renewed:
                    self.lay(one, subject, kind, span)

    def lay(self, one: Working, subject: Being, kind: str, span: str) -> None:
        """Put an enchantment in force.

        If it is already in force, keep the earlier one.
        """
        permanent = one.is_permanent and span != "ever"
        words = f"for {'ever' if permanent else span}{self.binds(one, subject, kind)}"
        subject.under.setdefault(kind, words)

    def binds(self, one: Working, subject: Being, kind: str) -> str:
        """Return the gestures or victim that a mind spell repeats, or the wizard who names the
        hand."""
        if self.book.numbered:
            return f" by {one.chooser}" if kind in HAND_NAMING_SPELLS else ""
        if kind == "amnesia" and subject.kind != "wizard":
            attacks = 0 if subject.is_elemental else subject.attacks
            return f" {self.victim_of(subject)}" * attacks
        sets = self.sets_of(subject)
        hand = hand_named_by(one.chooser)
        if kind == "paralysis" and self.held == "paralysis*":
            hand = HELD_HAND
        letter = sets[-1][:1] if hand == "L" else sets[-1][1:]
        match kind:
            case "amnesia":
                return "" if self.book.in_steps else " " + " ".join(sets)
            case "paralysis" if subject.kind == "wizard" and self.book.in_steps:
                return f" {hand}"
            case "paralysis" if subject.kind == "wizard":
                return f" {hand} {PARALYSED_GESTURES.get(letter, letter)}"
            case "charm_person":
                return f" {hand} by {one.chooser}"
        return ""

    def sets_of(self, subject: Being) -> list[str]:
        """Return the wizard's gestures of this turn, which are two sets if the wizard is hasted."""
        first = self.hands.get(subject.id, NO_SET)
        if self.held != "haste*" or subject.id != SUBJECT:
            return [first]
        return [first, NO_SET if self.scene.casters[1] == SUBJECT else first]

    def make(self, one: Working, subject: Being, kind: str) -> None:
        """Create a monster for the subject, or for a monster's master at the start of the turn."""
        controller = subject.id if subject.kind == "wizard" else self.owners[subject.id]
        if self.book.numbered and kind in ELEMENTS:
            controller = ""
        being = Being(f"new {len(self.newborn)}", kind, 0, controller)
        being.is_doomed = one.cast.name in self.unmade
        self.newborn.append(being)
        self.beings[being.id] = being
        if one.cast.element:
            self.choosers.append(one.cast.caster if self.book.caster_picks else controller)

    # -- heat and cold

    def heat_and_cold(self) -> None:
        """Let storms and elementals cancel each other, all at the same time.

        In numbered play, opposite storms first cancel each other.
        """
        elementals = [b for b in self.beings.values() if b.is_elemental and b.state == "alive"]
        for one, other in permutations(elementals, 2):
            both = one.state == other.state == "alive"
            if both and self.thing("merges", one.kind, other.kind) and one.id < other.id:
                self.merge(one, other)
        if self.book.numbered and self.two_storms_cancel():
            self.storms = []
        elementals = [being for being in elementals if being.state == "alive"]
        spent: set[str] = set()
        gone: set[str] = set(self.melting)
        for being in elementals:
            for other in elementals:
                if self.thing("void", being.kind, other.kind):
                    gone |= {being.id, other.id}
            if being.id in self.sheltered:
                continue
            for storm in self.storms:
                if self.thing("destroys", storm, being.kind):
                    gone.add(being.id)
                if self.thing("void", storm, being.kind):
                    gone.add(being.id)
                    spent.add(storm)
        if self.two_storms_cancel():
            spent |= set(self.storms)
        self.storms = [storm for storm in self.storms if storm not in spent]
        for id in gone:
            self.beings[id].state = "gone"

    def two_storms_cancel(self) -> bool:
        return len(self.storms) == 2 and self.thing("void", *sorted(self.storms))

    def resolve_doubts(self) -> None:
        """Apply a spell if its storm was cancelled; otherwise, spare its subject from the storm."""
        for one in self.working:
            if one in self.doubtful and self.doubtful[one] in self.storms:
                self.spared.add((self.doubtful[one], one.subject))
            elif one in self.doubtful:
                self.put(one)

    def thing(self, verdict: str, one: str, other: str) -> bool:
        return any(statement.verdict == verdict for statement in self.book.between(one, other))

    def merge(self, kept: Being, gone: Being) -> None:
        """Merge two elementals of one kind into the older, in numbered play into the newer."""
        if self.book.numbered:
            kept.state = "gone"
            self.newborn = [being for being in self.newborn if being is not kept]
            return
        gone.state = "gone"
        kept.is_doomed |= gone.is_doomed
        if gone in self.newborn:
            self.newborn.remove(gone)
        if self.book.merged_are_whole:
            kept.damage = 0

    # -- blows

    def living(self) -> list[Being]:
        return [being for being in self.beings.values() if being.state == "alive"]

    def strike(self) -> None:
        """Let storms, stabs and monsters hit, considering shields and resistances."""
        if self.book.numbered:
            self.cure()
        for storm in self.storms:
            for being in self.living():
                if (storm, being.id) not in self.spared:
                    being.hurt += 5
        for subject in map(self.beings.__getitem__, self.scene.stabs.values()):
            self.blow(subject, 0 if "wizards" in subject.hidden_from else 1)
        if self.book.in_steps:
            self.net()
        self.revive()
        for monster in self.living():
            for _ in range(monster.attacks):
                self.attack(monster)
        if self.book.numbered:
            self.strike_in_rounds()

    def strike_in_rounds(self) -> None:
        """Let surviving hasted monsters attack again, and time-stopped ones despite all shields."""
        for monster in self.living():
            is_beaten = monster.damage + monster.hurt >= monster.limit
            if monster.is_hasted and monster.attacks and not is_beaten:
                self.attack(monster)
        for monster in self.living():
            if not (monster.strikes_again and monster.attacks):
                continue
            others = [being for being in self.living() if being is not monster]
            victims = others if monster.is_elemental else [self.beings[self.victim_of(monster)]]
            for being in victims:
                being.hurt += STRENGTH[monster.kind]

    def cure(self) -> None:
        """Apply cures before damage, up to one point above the starting health."""
        for being in self.living():
            being.damage = max(-1, being.damage - being.cured)
            being.cured = 0

    def revive(self) -> None:
        """Revive destroyed beings without damage and effects, except that a shield remains."""
        for id, caster in self.revivers.items():
            gone = self.beings[id]
            if gone.state == "gone":
                back = Being(id, gone.kind, 0, caster, is_shielded=gone.is_shielded)
                self.beings[id] = back

    def attack(self, monster: Being) -> None:
        """Let a monster attack its victim, or an elemental attack all others, even unseen ones."""
        amount = STRENGTH.get(monster.kind, 0)
        if monster.is_elemental:
            for being in self.living():
                if being is not monster and monster.kind not in being.guards:
                    being.hurt += 0 if being.is_shielded else amount
        elif monster.kind != "wizard":
            victim = self.beings[self.victim_of(monster)]
            self.blow(victim, 0 if "monsters" in victim.hidden_from else amount)

    def blow(self, being: Being, amount: int) -> None:
        if being.state == "alive" and not being.is_shielded:
            being.hurt += amount

    def net(self) -> None:
        """Add the damage dealt so far, less cures."""
        for being in self.living():
            least = -1 if self.book.numbered else 0
            being.damage = max(least, being.damage + being.hurt - being.cured)
            being.hurt = being.cured = 0

    def victim_of(self, monster: Being) -> str:
        """Return the victim that a mind spell, an order or the default gives the monster."""
        if monster.forced or monster.victim:
            return monster.forced or monster.victim
        if self.book.in_steps:
            return next(id for id in self.scene.wounds if id != monster.controller)
        if self.book.numbered:
            return [id for id in self.scene.wounds if id != monster.controller][-1]
        seat = int(monster.controller[1:])
        return f"w{(seat + 1) % len(self.scene.wounds)}"

    def bury(self) -> None:
        """Apply the remaining damage, deaths and removals at the same time."""
        self.net()
        for being in self.living():
            dead = being.damage >= being.limit or being.is_slain
            if being.is_doomed or (dead and being.is_elemental):
                being.state = "gone"
            elif dead:
                being.state = "dead" if being.kind == "wizard" else self.remains
        for being in self.beings.values():
            if being.kind != "wizard" and being.controller and not self.book.numbered:
                master = self.beings[being.controller]
                being.controller = being.controller if master.state == "alive" else ""

    @property
    def remains(self) -> str:
        """State of a monster that has been killed."""
        return "gone" if self.book.numbered else "corpse"

    # -- the visible result

    def seen(self) -> Facts:
        standing = [b.id for b in self.living() if b.kind == "wizard"]
        facts: Facts = {"the duel": "goes on"}
        if len(standing) < 2:
            facts["the duel"] = standing[0] if standing else "draw"
        for being in self.beings.values():
            if being in self.newborn or being.id.startswith("new"):
                continue
            if being.kind == "wizard":
                self.see_wizard(facts, being)
            else:
                facts[being.id] = seen_monster(being)
            if being.state == "alive":
                facts[f"{being.id} under"] = seen_effects(being)
        newborn = [seen_monster(being) for being in self.newborn if being.state != "gone"]
        facts["newborn"] = "; ".join(sorted(newborn))
        stopped = [being.id for being in self.living() if being.is_stopped]
        hasted = [being.id for being in self.living() if being.is_hasted and being.kind == "wizard"]
        facts["extra turn"] = " ".join(stopped) or " ".join(["hasted", *hasted] if hasted else [])
        facts["chooses the element"] = " ".join(sorted(self.choosers))
        return facts

    def see_wizard(self, facts: Facts, being: Being) -> None:
        alive = being.state == "alive"
        facts[being.id] = f"damage {being.damage}" if alive else "dead"
        if alive:
            facts[f"{being.id} bank"] = being.bank
            facts[f"{being.id} gestures"] = "broken" if being.is_broken else "kept"


def seen_monster(being: Being) -> str:
    if being.state == "alive":
        return f"{being.kind} of {being.controller or 'nobody'} damage {being.damage}"
    return f"{being.kind} corpse" if being.state == "corpse" else "gone"


def seen_effects(being: Being) -> str:
    return "; ".join(f"{kind} {words}" for kind, words in sorted(being.under.items()))
