"""The URLs of the desk."""

from django.urls import path

from duels.desk import views

urlpatterns = [
    path("desk/", views.queue, name="desk"),
    path("desk/log/", views.log, name="desk_log"),
    path("desk/cases/<int:number>/", views.case, name="desk_case"),
    path("desk/cases/<int:number>/claim", views.claim, name="desk_claim"),
    path("desk/cases/<int:number>/give-back", views.give_back, name="desk_give_back"),
    path("desk/cases/<int:number>/hand-over", views.hand_over, name="desk_hand_over"),
    path("desk/cases/<int:number>/note", views.note, name="desk_note"),
    path("desk/cases/<int:number>/close", views.close, name="desk_close"),
    path("desk/cases/<int:number>/timeline/", views.timeline, name="desk_timeline"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/", views.turn, name="desk_turn"),
    path("desk/cases/<int:number>/turns/<int:ordinal>/open", views.open_turn, name="desk_open"),
    path(
        "desk/cases/<int:number>/turns/<int:ordinal>/dry-run/", views.dry_run, name="desk_dry_run"
    ),
    path("desk/cases/<int:number>/acts/", views.acts, name="desk_acts"),
    path("desk/cases/<int:number>/acts/<slug:kind>", views.act, name="desk_act"),
    path("desk/cases/<int:number>/ruling/", views.ruling, name="desk_ruling"),
]
