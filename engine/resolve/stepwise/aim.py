"""Subjects: a question for every spell in the list of casts. A haste phase ends after these.

rules: turn:stepwise, R8, R10-R13, R57, R62, R97
"""

from engine.gestures import STAB as KNIFE
from engine.legality.casting import default_opponent
from engine.legality.scope import NOWHERE
from engine.positions.position import ALIVE, CORPSE, DEAD, STANDING, PendingCast, Wizard
from engine.questions import Question
from engine.resolve.stepwise.table import PresetQuestion, StepwiseTable, spell_name_with_pattern
from engine.resolve.table import Casting
from engine.spellbook import SUBJECTS_EXCEPT_CASTER, SUBJECTS_WITH_MONSTERS, DefaultSubject, Spell


def aim_spells(table: StepwiseTable) -> None:
    """Set the subject of every spell in the list of casts."""
    aimed = [cast for cast in table.casts if not cast.spell.is_area]
    if table.asks_preset_questions():
        answers = table.require_answers([target_question(table, cast) for cast in aimed])
        for cast in aimed:
            cast.subject = cast.aimed = answers[target_question_id(cast)]
        return
    for cast in aimed:
        options = legal_subjects(table, cast.spell, cast.wizard.id)
        default = default_subject(table, cast.spell, cast.wizard)
        cast.subject = cast.aimed = table.preset_answer(
            target_question_id(cast),
            written_subject(table, cast),
            options,
            default if default in options else options[0],
        )


def target_question_id(cast: Casting) -> str:
    return f"target:{cast.wizard.id}.{cast.hand}"


def target_question(table: StepwiseTable, cast: Casting) -> PresetQuestion:
    options = legal_subjects(table, cast.spell, cast.wizard.id)
    default = default_subject(table, cast.spell, cast.wizard)
    question = Question(
        target_question_id(cast), "target", cast.wizard.id, "", options,
        default if default in options else options[0],
        spell_name_with_pattern(cast.spell, cast.pattern), cast.hand,
    )  # fmt: skip
    return question, written_subject(table, cast)


def written_subject(table: StepwiseTable, cast: Casting) -> str:
    if cast.released:
        return table.orders_of(cast.wizard.id).release_subject
    subjects = table.hands_of(cast.wizard.id).subjects
    if cast.hand == "BH":
        return subjects.get("BH") or subjects.get("L") or subjects.get("R", "")
    return subjects.get(cast.hand, "")


def legal_subjects(table: StepwiseTable, spell: Spell, caster: str) -> tuple[str, ...]:
    """Return the subjects allowed for the spell, including corpses and "nowhere".

    rules: R8, R57, R62
    """
    position = table.position
    found = [NOWHERE] if spell.nowhere else []
    found += [
        wizard.id
        for wizard in position.wizards
        if wizard.standing == STANDING
        and (wizard.id != caster or spell.legal not in SUBJECTS_EXCEPT_CASTER)
    ]
    if spell.legal not in SUBJECTS_WITH_MONSTERS:
        return tuple(found)
    found += [monster.id for monster in position.monsters if monster.state == ALIVE]
    if spell.on_dead_wizards:
        found += [w.id for w in position.wizards if w.standing == DEAD and not w.yielded]
    if spell.on_corpses:
        found += [monster.id for monster in position.monsters if monster.state == CORPSE]
    return tuple(found)


def default_subject(table: StepwiseTable, spell: Spell, caster: Wizard) -> str:
    """Return the default subject: the caster or the opponent, depending on the spell."""
    return caster.id if spell.default is DefaultSubject.SELF else opponent(table, caster.id)


def opponent(table: StepwiseTable, wizard: str) -> str:
    """Return the wizard's default opponent, or "nowhere" if there is none. rules: R13"""
    return default_opponent(table.position, wizard) or NOWHERE


def keep_casts_for_turn(table: StepwiseTable) -> None:
    """Keep the aimed spells of a haste phase, to be cast with those of its turn. rules: R97"""
    table.position.pending = tuple(
        PendingCast(
            cast.wizard.id, cast.spell.id, cast.pattern, cast.hand, cast.subject, cast.permanent
        )
        for cast in table.casts
    )


def gather_casts(table: StepwiseTable) -> None:
    """Add the spells aimed in the haste phase to the casts of this phase."""
    for pending in table.position.pending:
        spell = table.rules.stab if pending.pattern == KNIFE else table.rules.spells[pending.spell]
        wizard = table.position.wizard(pending.wizard)
        cast = Casting(spell, wizard, pending.hand, 2, pending.subject, pending.pattern)
        cast.permanent = pending.permanent
        table.casts.append(cast)
    table.position.pending = ()
    for cast in table.casts:
        if cast.spell is not table.rules.stab:
            table.report_cast(cast)
