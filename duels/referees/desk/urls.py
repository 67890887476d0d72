"""The URLs of the desk."""

from django.urls import path

from duels.referees.desk.views import acting, cases, evidence, ruling

urlpatterns = [
    path("desk/", cases.queue, name="desk"),
    path("desk/log/", cases.log, name="desk_log"),
    path("desk/cases/<int:number>/", cases.case, name="desk_case"),
    path("desk/cases/<int:number>/claim", cases.claim, name="desk_claim"),
    path("desk/cases/<int:number>/give-back", cases.give_back, name="desk_give_back"),
    path("desk/cases/<int:number>/hand-over", cases.hand_over, name="desk_hand_over"),
    path("desk/cases/<int:number>/note", cases.note, name="desk_note"),
    path("desk/cases/<int:number>/close", cases.close, name="desk_close"),
    path("desk/cases/<int:number>/timeline/", evidence.timeline, name="desk_timeline"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/", evidence.turn, name="desk_turn"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/open", evidence.open_turn, name="desk_open"),
    path(
        "desk/cases/<int:number>/turns/<int:ordinal>/dry-run/",
        evidence.dry_run,
        name="desk_dry_run",
    ),
    path("desk/cases/<int:number>/acts/", acting.acts, name="desk_acts"),
    path("desk/cases/<int:number>/acts/<slug:kind>", acting.act, name="desk_act"),
    path("desk/cases/<int:number>/ruling/", ruling.ruling, name="desk_ruling"),
]
