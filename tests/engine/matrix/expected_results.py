"""The expected result of two spells on one turn, computed from the matrix without the engine.

First the statements of `together` decide which of the two spells take effect, and on whom. Then
each spell has its own effect, storms, stabs and monsters hit, and cures are deducted from damage.
"""

from dataclasses import dataclass, field
from itertools import permutations
from typing import Final

from tests.engine.matrix.matrix_file import ELEMENTS, InteractionMatrix, Statement
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

MONSTER_DAMAGE: Final = {"goblin": 1, "ogre": 2, "troll": 3, "giant": 4, "fire": 3, "ice": 3}
"""Damage of a monster's attack, which is also the damage that kills the monster."""

DEADLY_DAMAGE: Final = 15
NO_GESTURES: Final = "--"
PARALYSED_GESTURES: Final = {"C": "F", "S": "D", "W": "P"}
"""Gestures that a paralysed hand makes instead of its last one; all others are repeated."""

PARTS_BEFORE_REMOVAL: Final = (
    "attacks w0",
    "attacks w2",
    "attacks twice",
    "idle",
    "unseen by wizards",
)
"""Parts of an effect in force that have already happened this turn when the effect ends."""

STORM_SPELLS: Final = ("fire_storm", "ice_storm")


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
    def damage_limit(self) -> int:
        return MONSTER_DAMAGE.get(self.kind, DEADLY_DAMAGE)

    @property
    def is_elemental(self) -> bool:
        return self.kind in ELEMENTS

    @property
    def column(self) -> str:
        if self.state == "corpse":
            return "corpse"
        return self.kind if self.kind == "wizard" or self.is_elemental else "giant"


@dataclass(eq=False, slots=True)
class SpellState:
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
        return self.cast.spell in STORM_SPELLS


class ResultCalculation:
    """The calculation of one scene with two spells, based on the matrix."""

    def __init__(
        self,
        book: InteractionMatrix,
        scene: Scene,
        casts: tuple[SpellCast, ...],
        hands: dict[str, str],
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
            self.remove_controllers_of_elementals()
        self.owners = {being.id: being.controller for being in self.beings.values()}
        self.held = casts[0].name if casts[0].is_held else ""
        self.working = [SpellState(cast, cast.subject, cast.caster) for cast in casts]
        self.newborn: list[Being] = []
        self.spared: set[tuple[str, str]] = set()  # storm, being
        self.sheltered: set[str] = set()
        self.doubtful: dict[SpellState, str] = {}  # spells whose effect depends on a storm
        self.unmade: set[str] = set()  # names of summonses whose monsters are destroyed
        self.melting: set[str] = set()
        self.revivers: dict[str, str] = {}  # the wizard who revives a being if it is destroyed
        self.storms: list[str] = []
        self.choosers: list[str] = []

    def calculated_facts(self) -> Facts:
        self.drop_spells_that_miss()
        self.bank_captured_spells()
        self.drop_spells_at_corpse()
        self.apply_statements()
        self.raise_corpse()
        for one in self.working:
            self.protect_from_elementals(one)
        for one in self.spells_in_order():
            if one not in self.doubtful:
                self.apply_spell(one)
        self.resolve_storms_and_elementals()
        self.resolve_doubtful_spells()
        self.deal_damage()
        self.apply_deaths()
        return self.visible_facts()

    def remove_controllers_of_elementals(self) -> None:
        """Remove the controllers of elementals."""
        for being in self.beings.values():
            if being.is_elemental:
                being.controller = ""

    # -- the effects of the two spells on each other

    def drop_spells_that_miss(self) -> None:
        """Drop spells that miss their subject."""
        pairs = permutations(self.working, 2)
        self.drop_spells([other for one, other in pairs if self.has_verdict("hides", one, other)])

    def bank_captured_spells(self) -> None:
        """Move a spell that Delayed Effect captures into the bank."""
        caught = []
        for one, other in permutations(self.working, 2):
            if self.has_verdict("catches", one, other):
                self.beings[other.cast.caster].bank = other.cast.spell
                caught.append(other)
                one.is_used = True
        self.drop_spells(caught)

    def drop_spells_at_corpse(self) -> None:
        """Drop spells at a corpse that is not raised this turn."""
        if self.scene.column == "corpse" and not self.is_cast("raise_dead"):
            self.drop_spells(
                [one for one in self.working if not one.is_storm and not self.effect_parts(one)]
            )

    def is_cast(self, spell: str) -> bool:
        return spell in [one.cast.spell for one in self.working]

    def apply_statements(self) -> None:
        """Apply all statements about the two spells together, except those about two storms."""
        stopped: list[SpellState] = []
        for one, other in permutations(self.working, 2):
            if self.has_verdict("stops", one, other):
                stopped.append(other)
            if self.has_verdict("void", one, other) and not one.is_storm:
                stopped += [one, other]
            if self.has_verdict("once", one, other) and one is self.working[0]:
                stopped.append(other)
            if self.has_verdict("spares", one, other):
                self.spared.add((other.cast.spell, one.subject))
            if self.has_verdict("neither", one, other):
                self.doubtful[one] = other.cast.spell
            if self.has_verdict("renews", one, other):
                other.is_renewed = True
            if self.has_verdict("ends", one, other):
                other.is_ended = True
            if self.has_verdict("unshields", one, other):
                other.is_bare = True
            if self.has_verdict("unmakes", one, other):
                self.unmade.add(other.cast.name)
            if self.has_verdict("extends", one, other):
                other.is_permanent = one.is_used = True
            if self.has_verdict("uses", one, other):
                one.is_used = True
            if self.has_verdict("returns", one, other) and other.cast.caster != other.cast.subject:
                other.chooser = self.owners[one.cast.subject] or one.cast.subject
                other.subject = other.cast.caster
        self.drop_spells(stopped)

    def raise_corpse(self) -> None:
        """Raise a corpse, so that other spells affect it as a living being."""
        for one in list(self.working):
            if "raised" in self.effect_parts(one):
                corpse = self.beings[one.subject]
                corpse.state, corpse.controller = "alive", one.cast.caster
                self.drop_spells([one])

    def has_verdict(self, verdict: str, one: SpellState, other: SpellState) -> bool:
        """Return whether the book has this verdict on the two spells with these subjects."""
        return any(
            statement.verdict == verdict and self.statement_applies(statement, one, other)
            for statement in self.book.statements_between(one.cast.name, other.cast.name)
        )

    def statement_applies(self, statement: Statement, one: SpellState, other: SpellState) -> bool:
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

    def drop_spells(self, gone: list[SpellState]) -> None:
        self.working = [one for one in self.working if one not in gone]

    # -- the effects of each spell by itself

    def effect_parts(self, one: SpellState) -> tuple[str, ...]:
        return self.book.effect_parts(one.cast.name, self.beings[one.subject].column)

    def protect_from_elementals(self, one: SpellState) -> None:
        """Protect the subject from elementals that this spell guards against."""
        subject = self.beings[one.subject]
        for element in ELEMENTS:
            for statement in self.book.statements_between(one.cast.name, element):
                if statement.verdict == "shelters" and subject.kind == element:
                    self.sheltered.add(subject.id)
                if statement.verdict == "guards" and not subject.is_elemental:
                    subject.guards.add(element)

    def spells_in_order(self) -> list[SpellState]:
        """Return the spells in order of casters' seats, or in stepwise play of subjects' seats."""
        if self.book.in_steps:
            return sorted(self.working, key=lambda one: one.subject)
        return self.working

    def apply_spell(self, one: SpellState) -> None:
        """Apply the parts of the spell, but do not let storms and monsters hit yet."""
        subject = self.beings[one.subject]
        for part in self.effect_parts(one):
            is_done = part in PARTS_BEFORE_REMOVAL or (self.book.numbered and part == "unseen")
            if not one.is_ended or is_done:
                self.apply_part(one, subject, part)

    def apply_part(self, one: SpellState, subject: Being, part: str) -> None:
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
                self.create_monster(one, subject, kind)
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
                    self.put_in_force(one, subject, kind, span)

    def put_in_force(self, one: SpellState, subject: Being, kind: str, span: str) -> None:
        """Put an enchantment in force.

        If it is already in force, keep the earlier one.
        """
        permanent = one.is_permanent and span != "ever"
        words = f"for {'ever' if permanent else span}{self.effect_details(one, subject, kind)}"
        subject.under.setdefault(kind, words)

    def effect_details(self, one: SpellState, subject: Being, kind: str) -> str:
        """Return the gestures or victim that a mind spell repeats, or the wizard who names the
        hand."""
        if self.book.numbered:
            return f" by {one.chooser}" if kind in HAND_NAMING_SPELLS else ""
        if kind == "amnesia" and subject.kind != "wizard":
            attacks = 0 if subject.is_elemental else subject.attacks
            return f" {self.victim_of(subject)}" * attacks
        sets = self.gesture_sets_of(subject)
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

    def gesture_sets_of(self, subject: Being) -> list[str]:
        """Return the wizard's gestures of this turn, which are two sets if the wizard is hasted."""
        first = self.hands.get(subject.id, NO_GESTURES)
        if self.held != "haste*" or subject.id != SUBJECT:
            return [first]
        return [first, NO_GESTURES if self.scene.casters[1] == SUBJECT else first]

    def create_monster(self, one: SpellState, subject: Being, kind: str) -> None:
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

    def resolve_storms_and_elementals(self) -> None:
        """Let storms and elementals cancel each other, all at the same time.

        In numbered play, opposite storms first cancel each other.
        """
        elementals = [b for b in self.beings.values() if b.is_elemental and b.state == "alive"]
        for one, other in permutations(elementals, 2):
            both = one.state == other.state == "alive"
            if (
                both
                and self.elements_have_verdict("merges", one.kind, other.kind)
                and one.id < other.id
            ):
                self.merge_elementals(one, other)
        if self.book.numbered and self.two_storms_cancel():
            self.storms = []
        elementals = [being for being in elementals if being.state == "alive"]
        spent: set[str] = set()
        gone: set[str] = set(self.melting)
        for being in elementals:
            for other in elementals:
                if self.elements_have_verdict("void", being.kind, other.kind):
                    gone |= {being.id, other.id}
            if being.id in self.sheltered:
                continue
            for storm in self.storms:
                if self.elements_have_verdict("destroys", storm, being.kind):
                    gone.add(being.id)
                if self.elements_have_verdict("void", storm, being.kind):
                    gone.add(being.id)
                    spent.add(storm)
        if self.two_storms_cancel():
            spent |= set(self.storms)
        self.storms = [storm for storm in self.storms if storm not in spent]
        for id in gone:
            self.beings[id].state = "gone"

    def two_storms_cancel(self) -> bool:
        return len(self.storms) == 2 and self.elements_have_verdict("void", *sorted(self.storms))

    def resolve_doubtful_spells(self) -> None:
        """Apply a spell if its storm was cancelled; otherwise, spare its subject from the storm."""
        for one in self.working:
            if one in self.doubtful and self.doubtful[one] in self.storms:
                self.spared.add((self.doubtful[one], one.subject))
            elif one in self.doubtful:
                self.apply_spell(one)

    def elements_have_verdict(self, verdict: str, one: str, other: str) -> bool:
        return any(
            statement.verdict == verdict for statement in self.book.statements_between(one, other)
        )

    def merge_elementals(self, kept: Being, gone: Being) -> None:
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

    def living_beings(self) -> list[Being]:
        return [being for being in self.beings.values() if being.state == "alive"]

    def deal_damage(self) -> None:
        """Let storms, stabs and monsters hit, considering shields and resistances."""
        if self.book.numbered:
            self.apply_cures()
        for storm in self.storms:
            for being in self.living_beings():
                if (storm, being.id) not in self.spared:
                    being.hurt += 5
        for subject in map(self.beings.__getitem__, self.scene.stabs.values()):
            self.hit(subject, 0 if "wizards" in subject.hidden_from else 1)
        if self.book.in_steps:
            self.settle_damage()
        self.revive_destroyed_beings()
        for monster in self.living_beings():
            for _ in range(monster.attacks):
                self.attack(monster)
        if self.book.numbered:
            self.repeat_attacks()

    def repeat_attacks(self) -> None:
        """Let surviving hasted monsters attack again, and time-stopped ones despite all shields."""
        for monster in self.living_beings():
            is_beaten = monster.damage + monster.hurt >= monster.damage_limit
            if monster.is_hasted and monster.attacks and not is_beaten:
                self.attack(monster)
        for monster in self.living_beings():
            if not (monster.strikes_again and monster.attacks):
                continue
            others = [being for being in self.living_beings() if being is not monster]
            victims = others if monster.is_elemental else [self.beings[self.victim_of(monster)]]
            for being in victims:
                being.hurt += MONSTER_DAMAGE[monster.kind]

    def apply_cures(self) -> None:
        """Apply cures before damage, up to one point above the starting health."""
        for being in self.living_beings():
            being.damage = max(-1, being.damage - being.cured)
            being.cured = 0

    def revive_destroyed_beings(self) -> None:
        """Revive destroyed beings without damage and effects, except that a shield remains."""
        for id, caster in self.revivers.items():
            gone = self.beings[id]
            if gone.state == "gone":
                back = Being(id, gone.kind, 0, caster, is_shielded=gone.is_shielded)
                self.beings[id] = back

    def attack(self, monster: Being) -> None:
        """Let a monster attack its victim, or an elemental attack all others, even unseen ones."""
        amount = MONSTER_DAMAGE.get(monster.kind, 0)
        if monster.is_elemental:
            for being in self.living_beings():
                if being is not monster and monster.kind not in being.guards:
                    being.hurt += 0 if being.is_shielded else amount
        elif monster.kind != "wizard":
            victim = self.beings[self.victim_of(monster)]
            self.hit(victim, 0 if "monsters" in victim.hidden_from else amount)

    def hit(self, being: Being, amount: int) -> None:
        if being.state == "alive" and not being.is_shielded:
            being.hurt += amount

    def settle_damage(self) -> None:
        """Add the damage dealt so far, less cures."""
        for being in self.living_beings():
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

    def apply_deaths(self) -> None:
        """Apply the remaining damage, deaths and removals at the same time."""
        self.settle_damage()
        for being in self.living_beings():
            dead = being.damage >= being.damage_limit or being.is_slain
            if being.is_doomed or (dead and being.is_elemental):
                being.state = "gone"
            elif dead:
                being.state = "dead" if being.kind == "wizard" else self.state_after_death
        for being in self.beings.values():
            if being.kind != "wizard" and being.controller and not self.book.numbered:
                master = self.beings[being.controller]
                being.controller = being.controller if master.state == "alive" else ""

    @property
    def state_after_death(self) -> str:
        """State of a monster that has been killed."""
        return "gone" if self.book.numbered else "corpse"

    # -- the visible result

    def visible_facts(self) -> Facts:
        standing = [b.id for b in self.living_beings() if b.kind == "wizard"]
        facts: Facts = {"the duel": "goes on"}
        if len(standing) < 2:
            facts["the duel"] = standing[0] if standing else "draw"
        for being in self.beings.values():
            if being in self.newborn or being.id.startswith("new"):
                continue
            if being.kind == "wizard":
                self.add_wizard_facts(facts, being)
            else:
                facts[being.id] = monster_fact(being)
            if being.state == "alive":
                facts[f"{being.id} under"] = effects_fact(being)
        newborn = [monster_fact(being) for being in self.newborn if being.state != "gone"]
        facts["newborn"] = "; ".join(sorted(newborn))
        stopped = [being.id for being in self.living_beings() if being.is_stopped]
        hasted = [
            being.id for being in self.living_beings() if being.is_hasted and being.kind == "wizard"
        ]
        facts["extra turn"] = " ".join(stopped) or " ".join(["hasted", *hasted] if hasted else [])
        facts["chooses the element"] = " ".join(sorted(self.choosers))
        return facts

    def add_wizard_facts(self, facts: Facts, being: Being) -> None:
        alive = being.state == "alive"
        facts[being.id] = f"damage {being.damage}" if alive else "dead"
        if alive:
            facts[f"{being.id} bank"] = being.bank
            facts[f"{being.id} gestures"] = "broken" if being.is_broken else "kept"


def monster_fact(being: Being) -> str:
    if being.state == "alive":
        return f"{being.kind} of {being.controller or 'nobody'} damage {being.damage}"
    return f"{being.kind} corpse" if being.state == "corpse" else "gone"


def effects_fact(being: Being) -> str:
    return "; ".join(f"{kind} {words}" for kind, words in sorted(being.under.items()))
