"""Mutants that cannot change any duel and are not tried, each with the reason."""

from collections.abc import Mapping
from typing import Final

_SPARES_WORK = "it only skips work that has no effect"
_NO_CORPSES = "there are no dead monsters if none leaves a corpse"
_ALWAYS_KNOWN = "blind wizards of these books know of all new monsters"
_GUARDS_RETURN = "guards matter only in hasted turns, and the turn before one sets them again"
_TARGETS_EXIST = "targets and hasted beings always exist there"
_NO_ELEMENT = "nothing resists a spell without an element"
_ONE_SPELL = "all of them are casts of the same spell"
_OBEYS_NOBODY = "an elemental obeys nobody and gets no orders"
_DUEL_IS_OVER = "the default is nowhere if that is allowed, and then the duel is over"
_TWO_STORMS = "two storms cancel each other, so the other one strikes nobody"
_NO_ANSWERS = "a strict duel rejects answers in advance"
_DIES = "a disenchanted monster dies at the end of the phase"
_DEFAULT_IS_LEGAL = "a spell's default subject is always legal for it"
_IS_STAB = "a stab is reported without its set and makes no monster"
_ONE_SURVIVES = "a wizard is only left alone by a death"
_TWO_LETTERS = "a row has two letters, and only two are read"
_NOT_IN_BOOK = "no row of the book has another value"
_LEAVES_NONE = "an elemental leaves no corpse"
_RESISTED = "a resistance that destroys nothing is handled earlier"
_IS_MISSING = "a missing being is not alive, and stays missing"
_IS_CORPSE = "a corpse obeys nobody and is rejected"
_NO_GUARDS = "dead beings have no guards"
_IS_PERMANENT = "a permanent effect ends later than any turn"
_SAME_EVENT = "a recreated event equals the stored one"
_NOBODY_LEFT = "if nobody has left, at least two wizards are alive"
_NO_EFFECTS = "a corpse has no effects"
_ACTIONS_ARE_UNUSED = "no rule uses a monster's actions in the extra turn after it"
_WIZARD_SURVIVED = "a wizard who survives to surrender was not killed"
_REFUSED_RELEASE = "a release without a bank, a row or a legal subject is rejected"
_ONE_SET = "there are no second sets in numbered turns"
_IS_LONGEST = "a permanency is longer than anything it can extend, so it is banked itself"
_HAS_LETTER = "it gets the letter that it already has"
_DICE_CHOOSE = "it is only called if the dice choose, or if nobody is left"
_IS_WIZARD = "it is only called for casters, who are wizards"
_NO_FORCE = "fear and charm do not force monsters, and nothing forces an elemental"
_ENDS_WINDOW = "a Dispel Magic ends the window that would capture it"
_NO_RIVAL = "no set of such a book completes a spell with a question next to a preferred one"
_COMPLETES_NONE = (
    "a wizard without a set completes no spell with a question, and that is checked before"
)
_EFFECT_IS_BOUND = "an effect that is already bound is bound to the same gestures again"
_NO_COPYING = "no spell of the book makes one hand copy the other"
_OVER_AT_ONCE = "such a spell on a monster acts from its casting to its end"
_LAID_NOW = "an effect cast in this turn already refers to the gestures of this turn"
_NOTHING_ASKED = "no spell in a book with numbered turns has an open question"
_FEWER_STATES = "no automaton has this many states"
_NO_CHARM_WAITS = "a charm for monsters never waits on a wizard"
_NEVER_LAID = "effects of that duration are mind spells, and are bound as the turn ends"
_ELEMENT_IS_DECIDED = "an elemental is fire or ice before anything strikes"
_HAS_CASTER = "a paralysis or a charm always has a caster there"

EQUIVALENT: Final[Mapping[str, str]] = {
    "engine.resolve.stepwise.close.run_clocks "
    "without part 0 of `being.effects and (not table.is_defenceless(being)` #28": _SPARES_WORK,
    "engine.resolve.stepwise.magic.record_reached_being "
    "without part 0 of `spell.works is not ALL and (not spell.mind) and (n` #14": _SPARES_WORK,
    "engine.resolve.stepwise.table.StepwiseTable.asks_preset_questions "
    "without part 0 of `self.asking and STRICT in self.position.options` #7": _SPARES_WORK,
    "engine.resolve.stepwise.table.StepwiseTable.asks_preset_questions "
    "without part 1 of `self.asking and STRICT in self.position.options` #7": _SPARES_WORK,
    "engine.resolve.numbered.attacks.repeat_time_stopped_attacks "
    "without part 2 of `monster.id not in table.stopped or monster.id in t` #19": _NO_CORPSES,
    "engine.resolve.numbered.attacks.store_ordered_victims "
    "without part 0 of `monster.state == ALIVE and (not monster.is_element` #21": _NO_CORPSES,
    "engine.resolve.numbered.turns.begin_next_turn "
    "nothing for `update_known_monsters(position, wizard)` #100": _ALWAYS_KNOWN,
    "engine.resolve.stepwise.close.begin_next_turn "
    "nothing for `update_known_monsters(position, wizard)` #38": _ALWAYS_KNOWN,
    "engine.resolve.numbered.turns.store_guards_for_hasted_turn "
    "without part 1 of `kind == NORMAL or table.position.kind == HASTE` #47": _GUARDS_RETURN,
    "engine.resolve.stepwise.attacks.number_of_attacks "
    "without part 0 of `before is not None and haste in before.effects` #31": _TARGETS_EXIST,
    "engine.resolve.stepwise.attacks.attack_victim "
    "without part 0 of `being is not None and being is not monster and is_` #12": _TARGETS_EXIST,
    "engine.resolve.stepwise.close.report_wounds "
    "without part 0 of `before is not None and is_alive(before)` #22": _TARGETS_EXIST,
    "engine.resolve.stepwise.magic.land_spell "
    "without part 0 of `being is None or not (is_alive(being) or cast.spel` #14": _TARGETS_EXIST,
    "engine.resolve.stepwise.harm.strike_subject "
    "without part 0 of `cast.spell.element and table.resists(being, cast.s` #19": _NO_ELEMENT,
    "engine.resolve.stepwise.cancel.do_casts_cancel one more than `0` #61": _ONE_SPELL,
    "engine.resolve.stepwise.cancel.do_casts_cancel one more than `0` #78": _ONE_SPELL,
    "engine.resolve.stepwise.aim.legal_subjects "
    "without part 0 of `wizard.id != caster or spell.legal not in SUBJECTS` #115": _NOT_IN_BOOK,
    "engine.resolve.stepwise.aim.legal_subjects "
    "without part 1 of `wizard.standing == STANDING and (wizard.id != cast` #85": _NOT_IN_BOOK,
    "engine.resolve.stepwise.minds.apply_new_mind_spell "
    "without part 0 of `cast.spell.one_master or cast.spell.asks is Caster` #26": _NOT_IN_BOOK,
    "engine.resolve.numbered.attacks.is_hasted "
    "without part 1 of `haste is not None and haste.is_active(table.turn)` #9": _NOT_IN_BOOK,
    "engine.resolve.numbered.attacks.store_ordered_victims "
    "without part 1 of `monster.state == ALIVE and (not monster.is_element` #21": _OBEYS_NOBODY,
    "engine.resolve.stepwise.aim.aim_spells one more than `0` #145": _DEFAULT_IS_LEGAL,
    "engine.resolve.stepwise.aim.target_question one more than `0` #88": _DEFAULT_IS_LEGAL,
    "engine.resolve.stepwise.candidates.cast_chosen_spells one more than `1` #178": _IS_STAB,
    "engine.resolve.close.settle_winner "
    "without part 1 of `table.rules.death_before_surrender and table.falle` #24": _ONE_SURVIVES,
    "engine.resolve.stepwise.aim.opponent "
    "without part 1 of `default_opponent(table.position, wizard) or NOWHER` #8": _DUEL_IS_OVER,
    "engine.resolve.stepwise.table.StepwiseTable.preset_answer "
    "without part 1 of `written in options and STRICT not in self.position` #18": _NO_ANSWERS,
    "engine.resolve.stepwise.removal.end_effects_and_bank "
    "nothing for `being.waiting.clear()` #30": _DIES,
    "engine.resolve.heat.settle_heat_and_cold "
    "without part 0 of `len(elementals) > 1 and (not table.dispelled)` #26": _SPARES_WORK,
    "engine.resolve.heat.settle_heat_and_cold "
    "without part 1 of `monster.kind in OPPOSITE_ELEMENT and monster.state` #53": _LEAVES_NONE,
    "engine.resolve.heat.settle_spells_at_elementals "
    "without part 0 of `kills and cast.spell.resists` #47": _RESISTED,
    "engine.resolve.land.remove_and_cure "
    "unfiltered ` for cast in casts if cast.spell.heals` #76": _SPARES_WORK,
    "engine.resolve.guard.dispel_magic "
    "without part 0 of `being is not None and is_alive(being)` #81": _IS_MISSING,
    "engine.resolve.guard.raise_guards "
    "without part 0 of `being is None or not is_alive(being)` #84": _IS_MISSING,
    "engine.resolve.complete._casts_that_open_window "
    "without part 0 of `not kind or TURNS_OF_DURATION[table.rules.spells[k` #10": _NOT_IN_BOOK,
    "engine.resolve.stepwise.enchant.apply_removals_and_windows "
    "without part 0 of `casts and removed and rules.spells[kind].removable` #45": _SPARES_WORK,
    "engine.resolve.strike.reason_storm_fails "
    "without part 0 of `storm.spell.counterable and being.id in table.coun` #12": _NOT_IN_BOOK,
    "engine.resolve.strike.reason_storm_fails "
    "without part 0 of `storm.spell.element == ICE and being.id in table.s` #17": _TWO_STORMS,
    "engine.resolve.strike.stab "
    "without part 0 of `being is None or not is_alive(being) or being.id i` #15": _IS_MISSING,
    "engine.resolve.strike.attack_with_monster "
    "without part 0 of `being is None or not is_alive(being) or being.id i` #72": _IS_MISSING,
    "engine.resolve.strike.store_victim "
    "without part 0 of `being is not None and is_alive(being) and (being.i` #24": _IS_MISSING,
    "engine.resolve.strike.store_victim "
    "without part 0 of `being is not None and is_there` #52": _IS_MISSING,
    "engine.resolve.strike.remember_victim "
    "without part 0 of `being is not None and is_alive(being)` #20": _IS_MISSING,
    "engine.resolve.strike.unordered_victim "
    "without part 0 of `monster.victim and is_alive(table.position.being(m` #34": _IS_MISSING,
    "engine.resolve.strike.apply_blow "
    "without part 1 of `not cause and shieldable and table.is_shielded(bei` #21": _NOT_IN_BOOK,
    "engine.resolve.strike.resolve_sacrifice "
    "without part 2 of `not isinstance(monster, Monster) or monster.contro` #20": _IS_CORPSE,
    "engine.resolve.summon.resolve_summons "
    "without part 0 of `being is None or not is_alive(being)` #23": _IS_MISSING,
    "engine.resolve.summon.summon_for_no_one "
    "without part 0 of `being is not None and is_alive(being) and (reached` #12": _IS_MISSING,
    "engine.resolve.summon.summon_for_no_one "
    "without part 1 of `being is not None and is_alive(being) and (reached` #12": _NO_GUARDS,
    "engine.resolve.markers.move_markers "
    "without part 2 of `table.emit and table.position.outcome and table.ru` #7": _SPARES_WORK,
    "engine.resolve.numbered.minds.has_older_mind_spell "
    "without part 0 of `effect.permanent or effect.last > table.turn` #15": _IS_PERMANENT,
    "engine.resolve.numbered.minds.cancel_by_older_mind_spells "
    "without part 1 of `not minds or being is None` #26": _TARGETS_EXIST,
    "engine.legality.hand_constraints.mind_spell_without_caster "
    "without part 0 of `not position.left_now or position.rules.hand_named` #11": _SPARES_WORK,
    "engine.resolve.stepwise.candidates.spell_candidates "
    "without part 0 of `wizard.used_bolt and (not rules.spent_fizzles)` #20": _NOT_IN_BOOK,
    "engine.resolve.stepwise.enchant.apply_removals_and_windows "
    "without part 2 of `casts and removed and rules.spells[kind].removable` #45": _NOT_IN_BOOK,
    "engine.resolve.stepwise.harm.deal_damage "
    "unfiltered ` for kind in table.rules.strikers if kind in table` #31": _SPARES_WORK,
    "engine.resolve.stepwise.enchant.apply_enchantments "
    "unfiltered ` for kind in rules.illnesses if kind in table.kind` #38": _SPARES_WORK,
    "engine.resolve.stepwise.enchant.apply_protections "
    "unfiltered ` for kind in rules.resistances.values() if kind in` #30": _SPARES_WORK,
    "engine.resolve.event_factories.CACHE_SIZE = 8193": _SAME_EVENT,
    "engine.resolve.close.death_cause "
    "without part 0 of `table.slain and being.id in table.slain` #15": _SPARES_WORK,
    "engine.resolve.close.death_cause "
    "without part 0 of `not being.effects or spared or table.extra` #17": _SPARES_WORK,
    "engine.resolve.close.settle_winner "
    "without part 1 of `not left and len(remaining) > 1` #34": _NOBODY_LEFT,
    "engine.resolve.close.settle_winner one more than `1` #129": _NOBODY_LEFT,
    "engine.resolve.close.held_letter one more than `2` #35": _TWO_LETTERS,
    "engine.resolve.close.begin_extra_turn "
    "without part 1 of `monster.id in table.attacks or not table.extra` #47": _ACTIONS_ARE_UNUSED,
    "engine.resolve.close.winner_among_surrendered "
    "unfiltered ` for wizard in left if wizard.standing == DEAD` #26": _WIZARD_SURVIVED,
    "engine.resolve.numbered.turns.begin_next_turn "
    "without part 0 of `wizard.knows is not None or table.rules.blinding i` #99": _ALWAYS_KNOWN,
    "engine.resolve.numbered.turns.begin_next_turn "
    "without part 1 of `wizard.knows is not None or table.rules.blinding i` #99": _ALWAYS_KNOWN,
    "engine.resolve.complete.complete_spells "
    "without part 0 of `wizard.effects and (not wizard.effects.keys().isdi` #59": _SPARES_WORK,
    "engine.resolve.complete.complete_spells "
    "without part 1 of `wizard.effects and (not wizard.effects.keys().isdi` #59": _SPARES_WORK,
    "engine.resolve.table.Table.was_invisible "
    "without part 0 of `bool(effects) and self.is_active(effects.get(self.` #11": _SPARES_WORK,
    "engine.resolve.complete.fail_casts_at_unseen "
    "without part 0 of `wizard.effects and table.was_blind(wizard.id)` #47": _SPARES_WORK,
    "engine.resolve.complete.fail_casts_at_unseen "
    "without part 0 of `wizard.effects and table.was_invisible(wizard.id)` #52": _SPARES_WORK,
    "engine.resolve.complete.complete_spells "
    "without part 0 of `wizard.bank and _is_releasing_bank(table, wizard)` #50": _REFUSED_RELEASE,
    "engine.resolve.complete._is_releasing_bank "
    "without part 0 of `wizard.id in table.sets and table.orders_of(wizard` #8": _REFUSED_RELEASE,
    "engine.resolve.complete._cast_banked_spell "
    "without part 1 of `not subject or not is_allowed_subject(table.positi` #65": _REFUSED_RELEASE,
    "engine.resolve.complete._capture_spells "
    "unfiltered ` for w in table.started if w.effects and (not w.ef` #52": _SPARES_WORK,
    "engine.resolve.complete._capture_spells "
    "without part 0 of `w.effects and (not w.effects.keys().isdisjoint(win` #90": _SPARES_WORK,
    "engine.resolve.complete._capture_spells "
    "without part 1 of `w.effects and (not w.effects.keys().isdisjoint(win` #90": _SPARES_WORK,
    "engine.resolve.complete._cast_of_marked_hand "
    "without part 0 of `c.set == number and c.hand in (hand, BOTH)` #59": _ONE_SET,
    "engine.resolve.complete._spell_caught_by_open_window "
    "without part 2 of `_is_bank_full(table, wizard) or window is None or ` #11": _NOT_IN_BOOK,
    "engine.resolve.complete._make_permanent_by_open_window "
    "without part 2 of `picked is not None and window is not None and wind` #14": _NOT_IN_BOOK,
    "engine.resolve.complete._cast_kept_for_permanency "
    "without part 1 of `window is not None and window.is_active(table.turn` #39": _NOT_IN_BOOK,
    "engine.resolve.complete._cast_kept_for_permanency "
    "without part 1 of `window is not None and window.is_active(table.turn` #19": _IS_LONGEST,
    "engine.resolve.complete._cast_kept_for_permanency "
    "without part 0 of `not orders.permanency or orders.permanency == orde` #14": _SPARES_WORK,
    "engine.resolve.complete._casts_that_open_window "
    "without part 1 of `cast.spell.id == kind and (cast.subject == wizard.` #39": _SPARES_WORK,
    "engine.resolve.complete._bank_by_new_windows "
    "without part 1 of `not _is_bank_full(table, wizard) and (wizard.id, t` #43": _NOT_IN_BOOK,
    "engine.resolve.complete._would_window_open "
    "without part 2 of `subject != cast.wizard.id and subject in mirrored ` #53": _NOT_IN_BOOK,
    "engine.resolve.reveal.reveal_gestures "
    "without part 0 of `wizard.blind_charms and (not extra)` #76": _SPARES_WORK,
    "engine.resolve.reveal.reset_named_hands "
    "without part 1 of `effect is not None and effect.hand and hand_constr` #23": _SPARES_WORK,
    "engine.resolve.reveal.directed_hand one more than `1` #208": _ONE_SET,
    "engine.resolve.reveal.overridden_set "
    "without part 1 of `effect.permanent and (not effect.letter) and table` #293": _HAS_LETTER,
    "engine.resolve.reveal.overridden_set "
    "without part 2 of `effect.permanent and (not effect.letter) and table` #293": _NOT_IN_BOOK,
    "engine.resolve.table.Table.is_shielded "
    "without part 0 of `not self.extra or not self.is_defenceless(being)` #11": _SPARES_WORK,
    "engine.resolve.table.Table.is_shielded "
    "without part 0 of `not being.effects or not self.is_active(being.effe` #16": _SPARES_WORK,
    "engine.resolve.table.Table.draw_opponent "
    "without part 0 of `self.rules.opponent is not DRAWN or len(others) < ` #15": _DICE_CHOOSE,
    "engine.resolve.stepwise.table.StepwiseTable.__post_init__ "
    "without part 1 of `new.rules.blinding in being.effects and isinstance` #144": _IS_WIZARD,
    "engine.resolve.stepwise.attacks.active_mind_spell "
    "without part 1 of `kind and can_affect(table.rules.spells[kind].works` #19": _NO_FORCE,
    "engine.resolve.stepwise.enchant.apply_protections "
    "without part 2 of `not landed and (not being.effects) and (not being.` #35": _SPARES_WORK,
    "bartle-1 dispel_magic.can_be_permanent = True": _ENDS_WINDOW,
    "engine.resolve.require_legal_orders "
    "without part 0 of `not wizard.effects or has_free_hands(position.rule` #76": _SPARES_WORK,
    "engine.resolve.require_legal_orders "
    "without part 1 of `not wizard.effects or has_free_hands(position.rule` #76": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 0 of `wizard.effects and rules.hastening in wizard.effec` #30": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 1 of `wizard.effects and rules.hastening in wizard.effec` #30": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 0 of `wizard.bank and _can_release_asking_spell(rules, w` #32": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 1 of `wizard.bank and _can_release_asking_spell(rules, w` #32": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 0 of `is_near and _can_cast_asking_spell(rules, wizard, ` #36": _SPARES_WORK,
    "engine.resolve._can_raise_questions "
    "without part 1 of `is_near and _can_cast_asking_spell(rules, wizard, ` #36": _SPARES_WORK,
    "engine.resolve._can_release_asking_spell "
    "without part 0 of `wizard.bank in rules.spells_that_ask and orders.ge` #7": _SPARES_WORK,
    "engine.resolve._can_release_asking_spell "
    "without part 1 of `wizard.bank in rules.spells_that_ask and orders.ge` #7": _SPARES_WORK,
    "engine.resolve._can_complete_asking_spell "
    "without part 0 of `wizard.effects and (not has_free_hands(rules, wiza` #19": _SPARES_WORK,
    "engine.resolve._can_complete_asking_spell "
    "without part 1 of `wizard.effects and (not has_free_hands(rules, wiza` #19": _SPARES_WORK,
    "engine.resolve._can_cast_asking_spell "
    "without part 0 of `wizard.used_bolt or not has_free_hands(rules, wiza` #18": _NO_RIVAL,
    "engine.resolve._can_cast_asking_spell not `if hands.spells:` #7": _NO_RIVAL,
    "engine.resolve._can_cast_asking_spell "
    "without part 0 of `own is not None and own.sets` #46": _COMPLETES_NONE,
    "engine.resolve._can_cast_asking_spell "
    "without part 1 of `own is not None and own.sets` #46": _COMPLETES_NONE,
    "engine.resolve.close.apply_deaths "
    "without part 0 of `table.surrenders and rules.illness_spares_the_surr` #22": _SPARES_WORK,
    "engine.resolve.close.apply_deaths "
    "without part 0 of `wizard.effects and (not wizard.effects.keys().isdi` #91": _SPARES_WORK,
    "engine.resolve.close.apply_deaths "
    "without part 1 of `wizard.effects and (not wizard.effects.keys().isdi` #91": _SPARES_WORK,
    "engine.resolve.close.settle_damage "
    "without part 0 of `being is None or id in table.destroyed` #30": _TARGETS_EXIST,
    "engine.resolve.close.mind_spells_for_next_turn "
    "unfiltered ` for each in table.mind_casts if each[1] not in fi` #64": _EFFECT_IS_BOUND,
    "engine.resolve.close.count_sets_as_idle one more than `2` #60": _TWO_LETTERS,
    "engine.resolve.close.apply_extra_action_spells "
    "without part 0 of `wizard.effects and wizard.standing == STANDING` #18": _SPARES_WORK,
    "engine.resolve.close.apply_extra_action_spells "
    "without part 1 of `wizard.effects and wizard.standing == STANDING` #18": _NO_EFFECTS,
    "engine.resolve.close.apply_extra_action_spells "
    "without part 0 of `monster.effects and monster.state == ALIVE` #24": _SPARES_WORK,
    "engine.resolve.close.apply_extra_action_spells "
    "without part 1 of `monster.effects and monster.state == ALIVE` #24": _NO_EFFECTS,
    "engine.resolve.close.store_repeated_actions "
    "without part 0 of `not spell.mind or effect.first <= table.turn` #23": _SPARES_WORK,
    "engine.resolve.close.begin_extra_actions "
    "without part 1 of `is_effect_active(being, stopping, turn) and is_ali` #39": _NO_EFFECTS,
    "engine.resolve.complete.cast_spells_of_set "
    "without part 0 of `chosen.has_once and wizard.used_bolt and (not tabl` #17": _SPARES_WORK,
    "engine.resolve.complete._capture_spells "
    "nothing for `_empty_released_banks(table)` #29": _NOT_IN_BOOK,
    "engine.resolve.reveal.reveal_gestures "
    "without part 0 of `wizard.effects and (not wizard.effects.keys().isdi` #78": _SPARES_WORK,
    "engine.resolve.reveal.reveal_gestures "
    "without part 1 of `wizard.effects and (not wizard.effects.keys().isdi` #78": _SPARES_WORK,
    "engine.resolve.reveal.note_stab "
    "without part 0 of `not subject and table.rules.stab.default is OPPONE` #42": _DICE_CHOOSE,
    "engine.resolve.reveal.note_stab "
    "without part 1 of `not subject and table.rules.stab.default is OPPONE` #42": _NOT_IN_BOOK,
    "engine.resolve.stepwise.cancel.cancel_opposites "
    "without part 0 of `not kinds.isdisjoint(rules.slayers) and (not kinds` #13": _SPARES_WORK,
    "engine.resolve.stepwise.cancel.cancel_opposites "
    "without part 1 of `not kinds.isdisjoint(rules.slayers) and (not kinds` #13": _SPARES_WORK,
    "engine.resolve.stepwise.cancel.cancel_opposites "
    "without part 0 of `bool(table.storms) and rules.storms.get(ICE) in ta` #15": _SPARES_WORK,
    "engine.resolve.stepwise.reveal.forced_row one more than `2` #147": _NO_COPYING,
    "engine.resolve.stepwise.reveal.forced_row one more than `1` #232": _NO_COPYING,
    "engine.resolve.strike.pacifying_mind_spell "
    "without part 0 of `not effects or not table.rules.minds_strike_monste` #9": _SPARES_WORK,
    "engine.resolve.strike.pacifying_mind_spell "
    "without part 2 of `victims is NOBODY and kind in effects and effects[` #43": _OVER_AT_ONCE,
    "engine.resolve.land.cancel_conflicting_mind_spells "
    "without part 1 of `not minds or (len(minds) == 1 and (not table.rules` #22": _SPARES_WORK,
    "engine.resolve.land.cancel_conflicting_mind_spells "
    "without part 0 of `len(minds) > 1 and table.rules.same_minds_cancel` #51": _NOT_IN_BOOK,
    "engine.resolve.summon.resolve_summons "
    "without part 0 of `isinstance(being, Monster) or (being is not None a` #51": _NOT_IN_BOOK,
    "engine.resolve.apply_to_later_turns "
    "without part 0 of `table.rules.acts_before_turns and (not table.extra` #14": _LAID_NOW,
    "NUMBERED_MAGIC_PHASES ask_questions before apply_enchantments": _NOTHING_ASKED,
    "NUMBERED_MAGIC_PHASES without ask_questions": _NOTHING_ASKED,
    "engine.legality.casting.MAX_CACHED_STATES = 16385": _FEWER_STATES,
    "engine.legality.hand_constraints.PAIR_FOR_TWO_STABS without the left hand stabs": _NOT_IN_BOOK,
    "engine.legality.hand_constraints.PAIR_FOR_TWO_STABS [the left hand stabs] = >>": _NOT_IN_BOOK,
    "engine.spellbook.WORKS_ON_MONSTERS without beasts": _NO_CHARM_WAITS,
    "engine.spellbook.WORKS_ON_MONSTERS without monsters": _NO_CHARM_WAITS,
    "engine.legality.hand_constraints._active_mind_spell "
    "without part 1 of `kind and rules.spells[kind].works not in WORKS_ON_` #50": _NO_CHARM_WAITS,
    "engine.spellbook.TURNS_OF_DURATION [t+1] = (2, 1)": _NEVER_LAID,
    "engine.spellbook.TURNS_OF_DURATION [t+1] = (1, 2)": _NEVER_LAID,
    "engine.spellbook.MONSTER_KINDS "
    "[elemental] = MonsterKind(id='elemental', name='Elemental', "
    "attack=4, limit=3, element='unknown')": _ELEMENT_IS_DECIDED,
    "engine.spellbook.MONSTER_KINDS "
    "[elemental] = MonsterKind(id='elemental', name='Elemental', "
    "attack=3, limit=4, element='unknown')": _ELEMENT_IS_DECIDED,
    "engine.legality.hand_constraints.is_hand_spell_dormant "
    "without part 0 of `effect.caster and is_acting(position, position.wiz` #31": _HAS_CASTER,
    "engine.spellbook.TURNS_OF_DURATION without t+1": _NEVER_LAID,
}
