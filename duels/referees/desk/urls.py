"""URLs of the referees' desk."""

from django.urls import path

from duels.referees.desk import acting, case, dry_run_page, queue, ruling, turn

urlpatterns = [
    path("desk/", queue.queue_view, name="desk"),
    path("desk/log/", case.log_view, name="desk_log"),
    path("desk/cases/<int:number>/", case.case_view, name="desk_case"),
    path("desk/cases/<int:number>/claim", case.claim_view, name="desk_claim"),
    path("desk/cases/<int:number>/give-back", case.give_back, name="desk_give_back"),
    path("desk/cases/<int:number>/hand-over", case.hand_over, name="desk_hand_over"),
    path("desk/cases/<int:number>/note", case.note, name="desk_note"),
    path("desk/cases/<int:number>/close", case.close, name="desk_close"),
    path("desk/cases/<int:number>/timeline/", case.timeline_view, name="desk_timeline"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/", turn.turn_view, name="desk_turn"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/open", turn.open_view, name="desk_open"),
    path(
        "desk/cases/<int:number>/turns/<int:ordinal>/dry-run/",
        dry_run_page.dry_run_view,
        name="desk_dry_run",
    ),
    path("desk/cases/<int:number>/acts/", acting.acts_view, name="desk_acts"),
    path("desk/cases/<int:number>/acts/<slug:kind>", acting.act_view, name="desk_act"),
    path("desk/cases/<int:number>/ruling/", ruling.ruling_view, name="desk_ruling"),
]
