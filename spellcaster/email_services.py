"""Email services that the site can use instead of SMTP, and the settings that they need.

`EMAIL_SERVICE` names a service that django-anymail supports. Its options are environment variables
with the names of anymail's settings, such as `POSTMARK_SERVER_TOKEN`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from types import MappingProxyType

# Basic authentication, `user:password`, that a service sends with its webhooks.
WEBHOOK_SECRET = "ANYMAIL_WEBHOOK_SECRET"


@dataclass(frozen=True)
class EmailService:
    """The environment variables of a service: required, optional, and signing keys of webhooks.

    If all of the signing variables are set, webhooks need no other secret.
    """

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    signing: tuple[str, ...] = ()
    has_webhooks: bool = True
    package: str = ""  # additional package that must be installed

    @property
    def options(self) -> tuple[str, ...]:
        return self.required + self.optional


SERVICES: Mapping[str, EmailService] = MappingProxyType(
    {
        # boto3 finds its keys itself: in AWS_ACCESS_KEY_ID and so on, or from the machine's role.
        "amazon_ses": EmailService(
            required=(),
            optional=("AMAZON_SES_CONFIGURATION_SET_NAME", "AMAZON_SES_INBOUND_KMS_KEY_ID"),
            package="boto3",
        ),
        "brevo": EmailService(required=("BREVO_API_KEY",)),
        "mailersend": EmailService(
            required=("MAILERSEND_API_TOKEN",),
            optional=("MAILERSEND_SIGNING_SECRET", "MAILERSEND_INBOUND_SECRET"),
            signing=("MAILERSEND_SIGNING_SECRET",),
        ),
        "mailgun": EmailService(
            required=("MAILGUN_API_KEY",),
            optional=("MAILGUN_WEBHOOK_SIGNING_KEY", "MAILGUN_SENDER_DOMAIN", "MAILGUN_API_URL"),
            signing=("MAILGUN_WEBHOOK_SIGNING_KEY",),
        ),
        "mailjet": EmailService(required=("MAILJET_API_KEY", "MAILJET_SECRET_KEY")),
        "mailtrap": EmailService(
            required=("MAILTRAP_API_TOKEN",),
            optional=("MAILTRAP_SIGNING_SECRET", "MAILTRAP_SANDBOX_ID"),
        ),
        "mandrill": EmailService(
            required=("MANDRILL_API_KEY",),
            optional=("MANDRILL_WEBHOOK_KEY", "MANDRILL_WEBHOOK_URL"),
            signing=("MANDRILL_WEBHOOK_KEY",),
        ),
        "postal": EmailService(
            required=("POSTAL_API_KEY", "POSTAL_API_URL"),
            optional=("POSTAL_WEBHOOK_KEY",),
            signing=("POSTAL_WEBHOOK_KEY",),
        ),
        "postmark": EmailService(
            required=("POSTMARK_SERVER_TOKEN",), optional=("POSTMARK_MESSAGE_STREAM",)
        ),
        "resend": EmailService(required=("RESEND_API_KEY",)),
        "scaleway": EmailService(
            required=("SCALEWAY_SECRET_KEY", "SCALEWAY_PROJECT_ID"),
            optional=("SCALEWAY_REGION",),
            has_webhooks=False,
        ),
        "sparkpost": EmailService(
            required=("SPARKPOST_API_KEY",), optional=("SPARKPOST_API_URL", "SPARKPOST_SUBACCOUNT")
        ),
        "unisender_go": EmailService(
            required=("UNISENDER_GO_API_KEY", "UNISENDER_GO_API_URL"),
            signing=("UNISENDER_GO_API_KEY",),
        ),
    }
)


@dataclass(frozen=True)
class ChosenService:
    """The service of this site, as configured in the environment."""

    name: str
    options: Mapping[str, str]  # keys are names of anymail settings
    missing: tuple[str, ...]  # variables
    missing_package: str
    accepts_webhooks: bool  # whether webhooks are enabled and protected


def chosen_service(name: str, read_variable: Callable[[str], str]) -> ChosenService | None:
    """Return the service of this name with variables from `read_variable`; None if unknown."""
    service = SERVICES.get(name)
    if service is None:
        return None
    options = {option: value for option in service.options if (value := read_variable(option))}
    missing = [option for option in service.required if option not in options]
    secret = read_variable(WEBHOOK_SECRET)
    is_signed = bool(service.signing) and all(each in options for each in service.signing)
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
        accepts_webhooks=service.has_webhooks and WEBHOOK_SECRET not in missing,
    )
