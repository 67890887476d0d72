"""Views that list the rulesets, and that show the rules, differences and turn order of each."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine.play
import engine.words
from duels.requests.access import ruleset_or_404
from duels.screens.rules.context import follows_program, rule_note_html, rules_context
from duels.screens.rules.turn_order import rule_terms, turn_steps
from duels.screens.sample_games.context import games_under_ruleset
from duels.wording import rule_index


@require_safe
def rulebooks(request: HttpRequest) -> HttpResponse:
    books = [
        {
            "ruleset": ruleset,
            "differences": len(engine.words.differences(ruleset)),
            "games": games_under_ruleset(ruleset),
        }
        for ruleset in engine.play.RULESETS.values()
    ]
    return render(request, "duels/rules/rulebooks.html", {"books": books})


@require_safe
def rules(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """Show the rules of a ruleset and the gestures of its spells."""
    return render(request, "duels/rules/rules.html", rules_context(ruleset_or_404(ruleset_id)))


@require_safe
def rule_note(request: HttpRequest, ruleset_id: str, anchor: str) -> HttpResponse:
    """Return a short form of one rule, as an HTML fragment."""
    html = rule_note_html(ruleset_or_404(ruleset_id), anchor)
    if html is None:
        raise Http404("There is no such rule.")
    return HttpResponse(html)


@require_safe
def differences(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """Show how a ruleset differs from Bartle's, based on its data."""
    ruleset = ruleset_or_404(ruleset_id)
    context = {
        "ruleset": ruleset,
        "differences": rule_index.differences(ruleset),
        "games": games_under_ruleset(ruleset),
        "as_the_program": follows_program(ruleset),
    }
    return render(request, "duels/rules/differences.html", context)


@require_safe
def turn_order(request: HttpRequest, ruleset_id: str) -> HttpResponse:
    """Explain the order of events in a turn of a ruleset."""
    ruleset = ruleset_or_404(ruleset_id)
    context = {
        "ruleset": ruleset,
        "steps": turn_steps(ruleset),
        "glossary": rule_terms(ruleset),
        "as_the_program": follows_program(ruleset),
    }
    return render(request, "duels/rules/turn_order.html", context)
