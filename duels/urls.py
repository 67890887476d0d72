"""The addresses of the duels."""

from django.urls import path

from duels import views

urlpatterns = [
    path("", views.home, name="home"),
    path("challenge/new", views.challenge_new, name="challenge_new"),
    path("c/<str:token>/", views.invitation, name="invitation"),
    path("duels/<int:duel_id>/", views.duel, name="duel"),
    path("duels/<int:duel_id>/accept", views.challenge_accept, name="challenge_accept"),
    path("duels/<int:duel_id>/decline", views.challenge_decline, name="challenge_decline"),
    path("duels/<int:duel_id>/withdraw", views.challenge_withdraw, name="challenge_withdraw"),
    path("duels/<int:duel_id>/leave", views.challenge_leave, name="challenge_leave"),
    path("duels/<int:duel_id>/turns/<int:ordinal>/", views.turn, name="turn"),
    path("duels/<int:duel_id>/orders", views.orders, name="orders"),
    path("duels/<int:duel_id>/sheet", views.sheet, name="sheet"),
    path("duels/<int:duel_id>/draft", views.draft, name="draft"),
    path("duels/<int:duel_id>/answers", views.answers, name="answers"),
    path("duels/<int:duel_id>/resign", views.resign, name="resign"),
    path("duels/<int:duel_id>/draw", views.draw, name="draw"),
    path("duels/<int:duel_id>/rematch", views.rematch, name="rematch"),
    path("duels/<int:duel_id>/record.json", views.record, name="record"),
    path("duels/<int:duel_id>/transcript.txt", views.transcript, name="transcript"),
    path("spellbook/", views.spellbook, name="spellbook"),
    path("spellbook/<str:ruleset_id>/", views.spellbook, name="spellbook_of"),
    path("rules/", views.rulebooks, name="rulebooks"),
    path("rules/<str:ruleset_id>/", views.rules, name="rules"),
    path("rules/<str:ruleset_id>/differences/", views.differences, name="differences"),
    path("rules/<str:ruleset_id>/turn/", views.turn_order, name="turn_order"),
    path("rules/<str:ruleset_id>/games/<str:slug>/", views.game, name="game"),
    path(
        "rules/<str:ruleset_id>/games/<str:slug>/<str:seen>/<int:number>/",
        views.game_turn,
        name="game_turn",
    ),
    path("wizards/<str:slug>/", views.wizard, name="wizard"),
    path("wizards/<str:slug>/block", views.wizard_block, name="wizard_block"),
    path("wizards/<str:slug>/unblock", views.wizard_unblock, name="wizard_unblock"),
    path("settings/", views.settings, name="settings"),
    path("settings/close", views.account_close, name="account_close"),
    path("reading", views.reading, name="reading"),
    path("about/", views.about, name="about"),
    path("privacy/", views.privacy, name="privacy"),
    path("terms/", views.terms, name="terms"),
]
