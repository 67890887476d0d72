"""The mail services that the site can send by, beside SMTP: those that django-anymail keeps up, and
what each must be told.

`EMAIL_SERVICE` names one. Its options are variables of the names that anymail's documentation has
for its settings: `POSTMARK_SERVER_TOKEN`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType

# Basic authentication, `user:password`, that a service sends with what it tells the site.
WEBHOOK_SECRET = "ANYMAIL_WEBHOOK_SECRET"


@dataclass(frozen=True)
class EmailService:
    """Variables: those without which nothing is sent, those that may be, and of both those by
    which it signs what it tells the site: with all of these no other secret is needed."""

    needs: tuple[str, ...]
    may: tuple[str, ...] = ()
    signs_with: tuple[str, ...] = ()
    has_webhooks: bool = True
    package: str = ""  # another one that must be installed

    @property
    def options(self) -> tuple[str, ...]:
        return self.needs + self.may


SERVICES: Mapping[str, EmailService] = MappingProxyType(
    {
        # Its keys are boto3's affair: AWS_ACCESS_KEY_ID and so on, or the machine's role.
        "amazon_ses": EmailService(
            needs=(),
            may=("AMAZON_SES_CONFIGURATION_SET_NAME", "AMAZON_SES_INBOUND_KMS_KEY_ID"),
            package="boto3",
        ),
        "brevo": EmailService(needs=("BREVO_API_KEY",)),
        "mailersend": EmailService(
            needs=("MAILERSEND_API_TOKEN",),
            may=("MAILERSEND_SIGNING_SECRET", "MAILERSEND_INBOUND_SECRET"),
            signs_with=("MAILERSEND_SIGNING_SECRET",),
        ),
        "mailgun": EmailService(
            needs=("MAILGUN_API_KEY",),
            may=("MAILGUN_WEBHOOK_SIGNING_KEY", "MAILGUN_SENDER_DOMAIN", "MAILGUN_API_URL"),
            signs_with=("MAILGUN_WEBHOOK_SIGNING_KEY",),
        ),
        "mailjet": EmailService(needs=("MAILJET_API_KEY", "MAILJET_SECRET_KEY")),
        "mailtrap": EmailService(
            needs=("MAILTRAP_API_TOKEN",),
            may=("MAILTRAP_SIGNING_SECRET", "MAILTRAP_SANDBOX_ID"),
        ),
        "mandrill": EmailService(
            needs=("MANDRILL_API_KEY",),
            may=("MANDRILL_WEBHOOK_KEY", "MANDRILL_WEBHOOK_URL"),
            signs_with=("MANDRILL_WEBHOOK_KEY",),
        ),
        "postal": EmailService(
            needs=("POSTAL_API_KEY", "POSTAL_API_URL"),
            may=("POSTAL_WEBHOOK_KEY",),
            signs_with=("POSTAL_WEBHOOK_KEY",),
        ),
        "postmark": EmailService(
            needs=("POSTMARK_SERVER_TOKEN",), may=("POSTMARK_MESSAGE_STREAM",)
        ),
        "resend": EmailService(needs=("RESEND_API_KEY",)),
        "scaleway": EmailService(
            needs=("SCALEWAY_SECRET_KEY", "SCALEWAY_PROJECT_ID"),
            may=("SCALEWAY_REGION",),
            has_webhooks=False,
        ),
        "sparkpost": EmailService(
            needs=("SPARKPOST_API_KEY",), may=("SPARKPOST_API_URL", "SPARKPOST_SUBACCOUNT")
        ),
        "unisender_go": EmailService(
            needs=("UNISENDER_GO_API_KEY", "UNISENDER_GO_API_URL"),
            signs_with=("UNISENDER_GO_API_KEY",),
        ),
    }
)


@dataclass(frozen=True)
class ChosenService:
    """The service of this site, as far as the environment tells of it."""

    name: str
    options: Mapping[str, str]  # as anymail's settings have them
    missing: tuple[str, ...]  # variables
    missing_package: str
    takes_webhooks: bool  # whether only the service can tell the site anything


def chosen_service(name: str, read: Callable[[str], str]) -> ChosenService | None:
    """The service of this name, with what `read` knows of its variables; None: there is none."""
    service = SERVICES.get(name)
    if service is None:
        return None
    options = {option: value for option in service.options if (value := read(option))}
    missing = [option for option in service.needs if option not in options]
    secret = read(WEBHOOK_SECRET)
    is_signed = bool(service.signs_with) and all(each in options for each in service.signs_with)
    is_secret = bool(secret.partition(":")[2])
    if service.has_webhooks and not (is_secret or (is_signed and not secret)):
        missing.append(WEBHOOK_SECRET)
    if secret:
        options[WEBHOOK_SECRET.removeprefix("ANYMAIL_")] = secret
    return ChosenService(
        name=name,
        options=options,
        missing=tuple(missing),
        missing_package=""
        if not service.package or find_spec(service.package)
        else service.package,
        takes_webhooks=service.has_webhooks and WEBHOOK_SECRET not in missing,
    )
