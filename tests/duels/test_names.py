"""Names of wizards: which are valid, and which look alike."""

import hashlib
import string

import pytest
from homoglyphs_fork import Homoglyphs

from duels.accounts import names


@pytest.mark.parametrize(
    "name",
    [
        "Ada",
        "Ünal",
        "Œuvre",
        "Black",
        "Merlyn 2",
        "Jean-Luc",
        "Ёлка",
        "魔法",
        "X2",
        "a" * 24,
        "O'Neil",
        "Ng'ang'a",
        "St. John",
        "J. R. R. Tolkien",
        "J.R.",
        "St.-Exupéry",
        "タロー",
        "らーめん",
        "佐々木",
        "すゞき",
        "สมชาย",
        "ผู้กล้า",
        "שָׁלוֹם",
        "מֹשֶׁה",
        "مُحَمَّد",
        "नरसिंह",
        "রবি",
        "தமிழ்",
        "Badminton",
        "Falstaff",
        "Supporter",
        "Dev",
        "Modest",
        "Ormod",
        "xXDragonXx",
        "McGonagall",
        "Amoda",
        "Nagman",
        "عل\u06cc\u200cرض\u0627",  # joiners, as in RFC 5892, appendix A
        "क\u094d\u200dष",
        "ශ\u0dca\u200dරී",
        "བསོད\u0f0bནམས",  # signs within words
        "Gal·la",
        "ジャン・リュック",
        "צה״ל",
        "〇子",  # a number in Unicode
        "Kɔfi",  # letters that are also used in phonetic transcription
        "Ɓalaraɓe",
        "Ẹ̀bùn",  # an accent and its letter are two characters
        "Gu̱na",
        "މުހައްމަދު",
        "ג'ורג'",
        "Hakem",
        "Moderna",
    ],
)
def test_valid_name_is_stored_unchanged(name: str):
    assert names.validated_name(name) == name


def test_extra_spaces_in_a_name_are_removed():
    assert names.validated_name("  Ada   the Grey ") == "Ada the Grey"


def test_final_separator_of_a_tibetan_name_is_removed():
    assert names.validated_name("བསོད\u0f0bནམས\u0f0b") == "བསོད\u0f0bནམས"


def test_apostrophes_and_hyphens_are_stored_in_one_form():
    for typed in ("O\u2019Neil", "O\u2018Neil", "O\u00b4Neil", "O`Neil"):
        assert names.validated_name(typed) == "O'Neil"
    assert names.validated_name("Jean\u2011Luc") == "Jean-Luc"
    assert names.validated_name("Kaua\u02bbi") == "Kaua'i"
    assert names.validated_name("\u05d2\u05f3\u05dc\u05d2\u05f3") == "\u05d2'\u05dc\u05d2'"


def test_invisible_variation_selector_of_an_ideograph_is_removed():
    assert names.validated_name("辻\U000e0100希") == "辻希"


@pytest.mark.parametrize(
    "name",
    [
        "Ad-min",
        "A.d.m.i.n",
        "a d m i n",
        "Admin2",
        "4dmin",
        "SiteAdmin",
        "Administration",
        "Mod",
        "Mod Bob",
        "m0derator",
        "Moderators",
        "GM",
        "Game Master",
        "Sysop",
        "Super User",
        "Referee's",
        "The Referee",
        "R3feree 7",
        "Ref",
        "Umpire",
        "Site Owner",
        "Off-icial",
        "Spellcaster Team",
        "System Message",
        "sup.port",
        "Help Desk",
        "Security Check",
        "\u0410\u0434\u043c\u0438\u043d",
        "Модератор",
        "管理员",
        "運営",
        "관리자",
        "ผู้ดูแล",
        "Teamspellcaster",
        "Modérateur",
        "Moderador",
        "Schiedsrichter",
        "Arbitre",
        "Адмін",
        "Администрация",
        "xXAdminXx",
        "xxadminxx",
        "xadminx",
        "xXModXx",
        "oomodoo",
        "xXRefXx",
        "XxGoblinxX",
        "ххАдминхх",
        "StaffMember",
        "BobTheMod",
        "6uest",
        "АДМИН",
        "ΔΙΑΧΕΙΡΙΣΤΗΣ",
        "Υποστήριξη",
        "Администраторы",
        "Moderación",
        "Soporte",
        "管理人さん",
        "運営チーム",
        "アドミン",
        "المدير",
        "Mailer Daemon",
    ],
)
def test_names_that_look_like_staff_names_are_rejected(name: str):
    with pytest.raises(names.InvalidName) as refused:
        names.validated_name(name)
    assert refused.value.code == "name_reserved"


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "name_length"),
        ("A", "name_length"),
        ("a" * 25, "name_length"),
        ("Ada!", "name_letters"),
        ("<b>Ada", "name_letters"),
        ("no_one", "name_letters"),
        ("Ada\u202eada", "name_letters"),
        ("-Ada", "name_letters"),
        ("Ada-", "name_letters"),
        ("- -", "name_letters"),
        ("'Ada", "name_letters"),
        ("Ada'", "name_letters"),
        (".Ada", "name_letters"),
        ("Ada..", "name_letters"),
        ("A''b", "name_letters"),
        ("A .b", "name_letters"),
        ("ーー", "name_letters"),  # this name looks like two dashes
        ("々木", "name_letters"),
        ("\u0301Ada", "name_letters"),  # a combining accent without a letter
        ("Ada \u0e34", "name_letters"),
        ("ก\u0e47\u0e47", "name_letters"),  # the same combining mark twice on a letter
        ("\u05d0\u05b0\u05b1\u05b2\u05b3\u05d0", "name_letters"),  # four marks on one letter
        ("ក\u17b4ក", "name_letters"),  # an invisible vowel
        ("Ada\u200bBell", "name_letters"),
        ("\u2800\u2800", "name_letters"),
        ("Ada\u200cBell", "name_letters"),  # joiners where no letter needs them
        ("Ада\u200dм", "name_letters"),
        ("क\u200dष", "name_letters"),
        ("عل\u06cc\u200cرض\u0627\u200c", "name_letters"),
        ("Ada·Bell", "name_letters"),
        ("Ada\u30fbBell", "name_letters"),
        ("རྡོ\u0f0b\u0f0bརྗེ", "name_letters"),
        ("Ada\u0f0bBell", "name_alphabet"),
        ("Ada\u0e34", "name_alphabet"),
        ("42", "name_letters"),
        ("LH", "name_reserved"),
        ("left", "name_reserved"),
        ("No One", "name_reserved"),
        ("n0-0ne", "name_reserved"),
        ("nowhere", "name_reserved"),
        ("Red Goblin", "name_reserved"),
        ("Fire Elemental", "name_reserved"),
        ("TR0LL", "name_reserved"),
        ("Admin", "name_reserved"),
        ("\u0410dmin", "name_reserved"),  # the first letter is Cyrillic
        ("Referee", "name_reserved"),
        ("Departed 7", "name_reserved"),
        ("Trolls", "name_reserved"),
        ("Referee Bob", "name_reserved"),
        ("RH2", "name_reserved"),
        ("\u0410da", "name_alphabet"),  # one Cyrillic letter among Latin ones
        ("\u13aada", "name_alphabet"),  # one Cherokee letter
        ("\ua4ee\ua4d3\ua4ee", "name_alphabet"),  # Lisu letters only
        ("\u1d00\u1d05\u1d00", "name_alphabet"),  # small capitals
        ("Ad\u0251", "name_alphabet"),  # a phonetic letter
        ("Ada\u01c3", "name_alphabet"),  # a letter for a click that looks like "!"
        ("Ada\u02bc", "name_letters"),  # a letter that is stored as an apostrophe
        ("\u02bcAda", "name_letters"),
        ("\u3007\u3007", "name_letters"),
        ("Ada\u3007", "name_alphabet"),
        ("Ада\u0331", "name_alphabet"),
        ("Ada\u3164", "name_alphabet"),  # an invisible letter
        ("\u115f\u1160\u3164", "name_alphabet"),
    ],
)
def test_invalid_names_are_rejected_with_a_reason(name: str, code: str):
    with pytest.raises(names.InvalidName) as refused:
        names.validated_name(name)
    assert refused.value.code == code
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "\u0410d\u0430"),  # Cyrillic
        ("Bill", "BiII"),  # capital i
        ("Bill", "Bi1l"),
        ("Otto", "0tt0"),
        ("Marn", "Mam"),
        ("Ada Grey", "Ada-Grey"),
        ("Ada Grey", "AdaGrey"),
        ("Ünal", "Unal"),
        ("Straße", "Strasse"),
        ("Ada", "\uff21\uff44\uff41"),  # full width
        ("ANNA", "\u0391\u039d\u039d\u0391"),  # Greek
        ("HOME", "\u0397\u039f\u039c\u0395"),  # Greek
        ("BOT", "\u0412\u041e\u0422"),  # Cyrillic
        ("Now", "\u0578\u0585\u0561"),  # Armenian
        ("Jo", "\u0408\u043e"),  # Cyrillic
        ("Ivy", "\u0406\u0475\u04af"),  # Cyrillic
        ("W0", "\u0428\u06f5"),  # Cyrillic letters, and a Persian digit
        ("O'Neil", "ONeil"),
        ("J. R.", "JR"),
        ("שָׁלוֹם", "שלום"),
        ("مُحَمَّد", "محمد"),
        ("عل\u06cc\u200cرض\u0627", "علیرض\u0627"),
        ("Gal·la", "Galla"),
    ],
)
def test_names_that_look_alike_have_the_same_skeleton(one: str, other: str):
    assert names.confusable_skeleton(one) == names.confusable_skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ada", "Adam"), ("Bram", "Brom"), ("Xi", "Xo"), ("กิน", "กัน"), ("ปู", "ปุ"), ("रवि", "रवी")],
)
def test_names_that_look_different_have_different_skeletons(one: str, other: str):
    assert names.confusable_skeleton(one) != names.confusable_skeleton(other)


def test_skeletons_do_not_change_without_a_migration():
    """Skeletons are stored, so changing this function requires a migration that recomputes them."""
    looks = {
        letter: names.confusable_skeleton(letter)
        for letter in map(chr, range(0x3000))
        if any(names.is_letter_of(letter, alphabet) for alphabet in names.ALPHABETS)
    }
    latin = " ".join(f"{letter}{look}" for letter, look in looks.items() if look.isascii())
    assert hashlib.sha256(latin.encode()).hexdigest()[:16] == "a18abb3034c72d07"


def test_letters_that_look_latin_have_a_latin_skeleton():
    alike = Homoglyphs.get_table({chr(code) for code in range(0x3000)})
    latin = set(string.ascii_letters + string.digits)
    checked = {
        letter
        for letter in alike
        if alike[letter] & latin
        and any(names.is_letter_of(letter, alphabet) for alphabet in names.ALPHABETS)
    }
    assert len(checked) > 100
    assert [letter for letter in checked if not names.confusable_skeleton(letter).isascii()] == []


def test_a_slug_is_the_name_in_lower_case_with_hyphens():
    assert names.name_slug("Ada  the Grey-Two") == "ada-the-grey-two"
    assert names.name_slug("J. R. O'Neil Jr.") == "j-r-o-neil-jr"
