"""What tests ask of messages can fail."""

import pytest

import adjudge as aj
from messages import facts, refused

MESSAGE = "width must be a whole number, at least 1, got 0; write width='iid' or --width 5"


def test_the_facts_of_a_message_are_its_argument_values_and_options():
    assert ["width", "must", "1", "got 0", "width='iid'", "--width", "5"] == facts(MESSAGE)


def test_other_words_pass():
    with refused(MESSAGE):
        raise aj.InputError(
            "width must be one or more (at least 1), got 0: say width='iid', --width 5"
        )


@pytest.mark.parametrize(
    "message",
    [
        MESSAGE.replace("width must", "k must"),
        MESSAGE.replace("got 0", "got 2"),
        MESSAGE.replace("--width", "--island"),
        MESSAGE.partition(";")[0],
    ],
)
def test_another_argument_value_or_option_does_not(message):
    with pytest.raises(AssertionError), refused(MESSAGE):
        raise aj.InputError(message)
