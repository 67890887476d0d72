"""URLs of the main app."""

from django.urls import include, path

from duels.requests import unsent
from duels.screens.about import views as about
from duels.screens.account import views as accounts
from duels.screens.archive import views as archive
from duels.screens.bell import views as bell
from duels.screens.challenge import views as challenges
from duels.screens.disputes import views as disputes
from duels.screens.duel import ending_views as endings
from duels.screens.duel import order_views as orders
from duels.screens.duel import talk_views as speech
from duels.screens.duel import views as duel
from duels.screens.feeds import views as feeds
from duels.screens.following import views as following
from duels.screens.home import views as home
from duels.screens.ladders import views as ladders
from duels.screens.lists import views as lists
from duels.screens.mail import device_views as push
from duels.screens.mail import guest_views as guest_mail
from duels.screens.mail import views as mail
from duels.screens.messages import views as messages
from duels.screens.opponents import views as opponents
from duels.screens.picture import views as pictures
from duels.screens.practice import views as practice
from duels.screens.presence import views as presence
from duels.screens.primer import views as primer
from duels.screens.rules import views as rules
from duels.screens.rulings import views as rulings
from duels.screens.sample_games import views as sample_games
from duels.screens.settings import views as settings
from duels.screens.spellbook import views as spellbook
from duels.screens.turn import views as turns
from duels.screens.void_turn import views as void_turn
from duels.screens.web_app import views as web_app
from duels.screens.webhooks import views as webhooks
from duels.screens.wizard import views as wizards

urlpatterns = [
    path("", home.home, name="home"),
    path("play", practice.play_lesson, name="play"),
    path("somebody", practice.play_with_stranger, name="play_somebody"),
    path("open-to-duels/", opponents.open_to_duels, name="open_to_duels"),
    path("open-to-duels/stop", opponents.stop_waiting, name="stop_being_open"),
    path("practice/", practice.practice, name="practice"),
    path("forget-me", practice.delete_guest, name="guest_forget"),
    path("guest/mail", guest_mail.guest_mail, name="guest_mail"),
    path("guest/mail/<str:token>/", guest_mail.guest_mail_confirm, name="guest_mail_confirm"),
    path("invite", challenges.invite, name="invite"),
    path("challenge/new", challenges.challenge_new, name="challenge_new"),
    path("c/<str:token>/", challenges.invitation, name="invitation"),
    path("c/<str:token>/accept", challenges.invitation_accept, name="invitation_accept"),
    path("duels/", lists.duels, name="duels"),
    path("duels/open.atom", feeds.challenge_feed, name="challenge_feed"),
    path("duels/<int:duel_id>/", duel.duel, name="duel"),
    path("duels/<int:duel_id>/accept", challenges.challenge_accept, name="challenge_accept"),
    path("duels/<int:duel_id>/counter", challenges.challenge_counter, name="challenge_counter"),
    path("duels/<int:duel_id>/decline", challenges.challenge_decline, name="challenge_decline"),
    path("duels/<int:duel_id>/withdraw", challenges.challenge_withdraw, name="challenge_withdraw"),
    path("duels/<int:duel_id>/leave", challenges.challenge_leave, name="challenge_leave"),
    path("duels/<int:duel_id>/grid.png", pictures.picture, name="picture"),
    path("duels/<int:duel_id>/turns/", turns.redirect_to_turn, name="turns"),
    path("duels/<int:duel_id>/turns/<int:ordinal>/", turns.turn, name="turn"),
    path("duels/<int:duel_id>/turns/<int:ordinal>/proof.json", turns.turn_proof, name="turn_proof"),
    path("duels/<int:duel_id>/turns/<int:ordinal>/grid.png", pictures.picture, name="turn_picture"),
    path("duels/<int:duel_id>/turns/<int:ordinal>/dispute", disputes.dispute, name="dispute"),
    path(
        "duels/<int:duel_id>/void/<int:roll_back>/<int:ordinal>/",
        void_turn.void_turn,
        name="void_turn",
    ),
    path(
        "duels/<int:duel_id>/turns/<int:ordinal>/words/<str:seat>/report",
        disputes.turn_message_report,
        name="turn_words_report",
    ),
    path("duels/<int:duel_id>/orders", orders.submit_orders, name="orders"),
    path("duels/<int:duel_id>/sheet", orders.order_sheet_part, name="sheet"),
    path("duels/<int:duel_id>/draft", orders.save_draft, name="draft"),
    path("duels/<int:duel_id>/answers", orders.seal_answers, name="answers"),
    path("duels/<int:duel_id>/resign", endings.resign, name="resign"),
    path("duels/<int:duel_id>/draw", endings.draw, name="draw"),
    path("duels/<int:duel_id>/claim", endings.claim, name="claim"),
    path("duels/<int:duel_id>/pause", endings.pause, name="pause"),
    path("duels/<int:duel_id>/time", endings.give_time, name="time"),
    path("duels/<int:duel_id>/rematch", endings.rematch, name="rematch"),
    path("duels/<int:duel_id>/play-on", practice.play_on, name="play_on"),
    path("duels/<int:duel_id>/back-to-lesson", practice.back_to_lesson, name="back_to_lesson"),
    path("duels/<int:duel_id>/say", speech.send_message, name="say"),
    path("duels/<int:duel_id>/read", duel.mark_read, name="read"),
    path("duels/<int:duel_id>/words/", speech.all_messages_page, name="words"),
    path(
        "duels/<int:duel_id>/words/<int:speech_id>/report",
        disputes.message_report,
        name="words_report",
    ),
    path("duels/<int:duel_id>/mail", mail.duel_mail, name="duel_mail"),
    path("duels/<int:duel_id>/poll", presence.poll_duel, name="poll"),
    path("duels/<int:duel_id>/record.json", duel.record, name="record"),
    path("duels/<int:duel_id>/transcript.txt", duel.transcript, name="transcript"),
    path("spellbook/", spellbook.spellbook, name="spellbook"),
    path("spellbook/<str:ruleset_id>/", spellbook.spellbook, name="spellbook_of"),
    path("rules/", rules.rulebooks, name="rulebooks"),
    path("rules/<str:ruleset_id>/", rules.rules, name="rules"),
    path("rules/<str:ruleset_id>/rule/<str:anchor>", rules.rule_note, name="rule_note"),
    path("rules/<str:ruleset_id>/differences/", rules.differences, name="differences"),
    path("rules/<str:ruleset_id>/turn/", rules.turn_order, name="turn_order"),
    path("rules/<str:ruleset_id>/games/<str:slug>/", sample_games.game, name="game"),
    path(
        "rules/<str:ruleset_id>/games/<str:slug>/<str:seen>/",
        sample_games.redirect_to_game_turn,
        name="game_turns",
    ),
    path(
        "rules/<str:ruleset_id>/games/<str:slug>/<str:seen>/<int:number>/",
        sample_games.game_turn,
        name="game_turn",
    ),
    path("archive/", archive.archive, name="archive"),
    path("archive/records.zip", archive.download_records, name="archive_records"),
    path("ladders/", ladders.first_ladder, name="ladders"),
    path("ladders/<str:ruleset_id>/", ladders.ladder, name="ladder"),
    path("ladders/<str:ruleset_id>/feed.atom", feeds.ladder_feed, name="ladder_feed"),
    path("wizards/", lists.wizards, name="wizards"),
    path("wizards/<str:slug>/", wizards.wizard, name="wizard"),
    path("wizards/<str:slug>/feed.atom", feeds.wizard_feed, name="wizard_feed"),
    path("wizards/<str:slug>/against/<str:opponent>/", wizards.head_to_head, name="head_to_head"),
    path("wizards/<str:slug>/block", wizards.wizard_block, name="wizard_block"),
    path("wizards/<str:slug>/unblock", wizards.wizard_unblock, name="wizard_unblock"),
    path("wizards/<str:slug>/follow", following.wizard_follow, name="wizard_follow"),
    path("wizards/<str:slug>/unfollow", following.wizard_unfollow, name="wizard_unfollow"),
    path("wizards/<str:slug>/note", following.wizard_note, name="wizard_note"),
    path("duels/<int:duel_id>/follow", following.duel_follow, name="duel_follow"),
    path("duels/<int:duel_id>/unfollow", following.duel_unfollow, name="duel_unfollow"),
    path("following/", following.following, name="following"),
    path("wizards/<str:slug>/mute", speech.mute, name="mute"),
    path("wizards/<str:slug>/unmute", speech.unmute, name="unmute"),
    path(
        "duels/<int:duel_id>/names/<str:which>/report",
        disputes.duel_name_report,
        name="duel_name_report",
    ),
    path("wizards/<str:slug>/report", disputes.name_report, name="name_report"),
    path("disputes/", disputes.cases, name="cases"),
    path("disputes/<int:number>/", disputes.case, name="case"),
    path("disputes/<int:number>/say", disputes.case_add_statement, name="case_say"),
    path("disputes/<int:number>/withdraw", disputes.case_withdraw, name="case_withdraw"),
    path("disputes/<int:number>/object", disputes.case_object_to_referee, name="case_object"),
    path("disputes/<int:number>/appeal", disputes.case_appeal, name="case_appeal"),
    path("rulings/feed.atom", feeds.ruling_feed, name="ruling_feed"),
    path("rulings/", rulings.rulings, name="rulings"),
    path("rulings/<int:number>/", rulings.ruling, name="ruling"),
    path("referees/", rulings.referees, name="referees"),
    path("unsent/", unsent.unsent_form, name="unsent"),
    path("waiting", presence.poll_waiting_duels, name="waiting"),
    path("settings/", settings.settings, name="settings"),
    path("messages/", messages.threads, name="threads"),
    path("messages/<str:slug>/", messages.thread, name="thread"),
    path("messages/<str:slug>/accept", messages.accept, name="messages_accept"),
    path("messages/<str:slug>/decline", messages.decline, name="messages_decline"),
    path("messages/<str:slug>/mute", messages.mute, name="messages_mute"),
    path("messages/<str:slug>/unmute", messages.unmute, name="messages_unmute"),
    path("messages/<str:slug>/<int:message_id>/report", messages.report, name="private_report"),
    path("news/", bell.news, name="news"),
    path("news/read", bell.mark_news_read, name="news_read"),
    path("settings/mail", mail.mail_settings, name="mail_settings"),
    path("settings/mail/<int:notice_id>/again", mail.resend_mail, name="mail_again"),
    path("settings/mail/on", mail.reactivate_addresses_view, name="mail_on"),
    path("settings/push-on", push.subscribe_device, name="push_on"),
    path("settings/push-off", push.unsubscribe_device, name="push_off"),
    path("settings/push-choice", push.push_choice, name="push_choice"),
    path("settings/push-test", push.send_test_notification, name="push_test"),
    path("settings/push-key", push.push_public_key, name="push_key"),
    path("mail-off/<str:token>", mail.turn_emails_off, name="mail_off"),
    path("settings/calendar", feeds.calendar_settings, name="calendar_settings"),
    path("calendar/<str:token>.ics", feeds.calendar, name="calendar"),
    path("settings/webhooks", webhooks.webhook_list, name="webhooks"),
    path("settings/webhooks/<int:webhook_id>", webhooks.webhook, name="webhook"),
    path("settings/vacation", settings.vacation, name="vacation"),
    path("settings/sessions/<int:session_id>/end", accounts.session_end, name="session_end"),
    path("settings/export", accounts.account_export, name="account_export"),
    path("settings/close", accounts.account_close, name="account_close"),
    path("reading", settings.change_reading_preferences, name="reading"),
    path("favicon.ico", web_app.favicon, name="favicon"),
    path("robots.txt", web_app.robots, name="robots"),
    path("manifest.webmanifest", web_app.manifest, name="manifest"),
    path("service-worker.js", web_app.service_worker, name="service_worker"),
    path("primer/", primer.primer, name="primer"),
    path("from-warlocks/", about.guide_for_warlocks_players, name="from_warlocks"),
    path("about/", about.about, name="about"),
    path("proof/", about.proof, name="proof"),
    path("privacy/", about.privacy, name="privacy"),
    path("terms/", about.terms, name="terms"),
    path("", include("duels.referees.desk.urls")),
]
