"""Every address of the site. The duels' own are in `duels.urls`."""

from allauth.account.decorators import secure_admin_login
from django.contrib import admin
from django.urls import include, path

from spellcaster import mailbox
from spellcaster.webhooks import webhook_patterns

# Staff sign in like everybody else, with the same rate limits and second factor. Replacing the
# method is how allauth has it done, and mypy cannot know.
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]

urlpatterns = [
    path("admin/", admin.site.urls),
    path("accounts/", include("allauth.urls")),
    path("mail/", mailbox.mailbox, name="mailbox"),
    path("mail/<slug:name>/", mailbox.html_part, name="mailbox_html"),
    path("webhooks/", include(webhook_patterns())),
    path("", include("duels.urls")),
]
