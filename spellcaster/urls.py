"""All URLs of the site. The URLs of the duels are in `duels.urls`."""

from allauth.urls import urlpatterns as account_patterns
from django.contrib import admin
from django.urls import include, path

from spellcaster import mailbox
from spellcaster.account_views import repeatable_patterns
from spellcaster.doctor import probe
from spellcaster.webhooks import webhook_patterns

handler500 = "spellcaster.outages.error_page"
handler429 = "spellcaster.rate_limits.rate_limited_response"  # used by django-allauth

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include(repeatable_patterns(account_patterns))),
    path("mail/", mailbox.mailbox, name="mailbox"),
    path("mail/<slug:name>/", mailbox.html_part, name="mailbox_html"),
    path("doctor/<str:token>/", probe.show_request, name="doctor_probe"),
    path("webhooks/", include(webhook_patterns())),
    path("", include("duels.urls")),
]
