"""Pydantic 2 in one row: `python pydantic_peer.py ROW FILE [--quick]`. Reports as one line of JSON.

FILE is a list of `{name, request, valid, broken}`, all but the name JSON texts, `broken` a list of them.
"""

import gc
import json
import math
import platform
import re
import sys
import time
from itertools import count
from typing import Annotated, Any, Literal, Optional, Union

import pydantic
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, create_model

STRICT = ConfigDict(strict=True)


class Shape(BaseModel):
    """An object whose members are never converted."""

    model_config = STRICT


Present = Annotated[str, Field(min_length=1)]
Whole = Annotated[int, Field(ge=0)]


def compiles(pattern):
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError("no pattern") from error
    return pattern


Pattern = Annotated[str, AfterValidator(compiles)]
Number = Union[int, float, str]
Value = Union[bool, int, float, str]


def short(most):
    return Annotated[str, Field(min_length=1, max_length=most)]


def listed(item, fewest=0, most=None):
    return Annotated[list[item], Field(min_length=fewest, max_length=most)]


class AskOption(Shape):
    label: short(50)
    description: short(200)


class AskQuestion(Shape):
    question: short(500)
    header: short(12)
    options: listed(AskOption, 2, 4)
    multiSelect: bool


class AskUserQuestion(Shape):
    questions: listed(AskQuestion, 1, 4)


class AuqOption(Shape):
    label: str
    description: Optional[str] = None


class AuqQuestion(Shape):
    prompt: Present
    title: Present
    options: listed(AuqOption, 2, 4)
    multiSelect: bool


class Auq(Shape):
    questions: listed(AuqQuestion, 1, 4)


class SpecConstraint(Shape):
    type: Literal["required", "minSelect", "maxSelect", "minLength", "maxLength", "pattern"]
    value: Optional[Number] = None
    message: str


class ShowIf(Shape):
    value: str


class SpecOption(Shape):
    value: str
    label: str
    description: Optional[str] = None


class SpecBase(Shape):
    id: str
    label: str
    prompt: str
    constraints: Optional[list[SpecConstraint]] = None
    showIf: Optional[ShowIf] = None
    children: Optional[list["SpecQuestion"]] = None


class Select(SpecBase):
    type: Literal["select"]
    maxSelect: Literal[1]
    options: listed(SpecOption, 1)


class MultiSelect(SpecBase):
    type: Literal["multiSelect"]
    maxSelect: Annotated[int, Field(ge=2)]
    options: listed(SpecOption, 1)


class TextEntry(SpecBase):
    type: Literal["text"]
    placeholder: Optional[str] = None
    multiline: Optional[bool] = None


class Confirm(SpecBase):
    type: Literal["confirm"]
    yesLabel: Optional[str] = None
    noLabel: Optional[str] = None


class Range(Shape):
    min: Literal[1]
    max: Literal[5]


class Rating(SpecBase):
    type: Literal["rating"]
    range: Range
    showEmoji: Optional[bool] = None
    annotations: Optional[dict[str, str]] = None


SpecQuestion = Annotated[
    Union[Select, MultiSelect, TextEntry, Confirm, Rating], Field(discriminator="type")
]


class Questionnaire(Shape):
    questions: listed(SpecQuestion, 1)


class FieldOption(Shape):
    label: str
    value: str


class FormField(Shape):
    id: str
    type: Literal[
        "text", "textarea", "number", "boolean", "select", "multiselect", "checkbox", "radio", "date", "time", "datetime"
    ]
    label: str
    description: Optional[str] = None
    required: Optional[bool] = None
    placeholder: Optional[str] = None
    defaultValue: Any = None
    validateOnClient: Optional[bool] = None
    options: Optional[list[FieldOption]] = None
    min: Optional[float] = None
    max: Optional[float] = None
    step: Optional[float] = None
    minLength: Optional[float] = None
    maxLength: Optional[float] = None
    pattern: Optional[Pattern] = None


class FormSection(Shape):
    id: str
    title: Optional[str] = None
    description: Optional[str] = None
    fields: list[FormField]
    optional: Optional[bool] = None
    submitLabel: Optional[str] = None


class InputSchema(Shape):
    title: Optional[str] = None
    description: Optional[str] = None
    fields: Optional[list[FormField]] = None
    sections: Optional[list[FormSection]] = None
    submitLabel: Optional[str] = None
    cancelLabel: Optional[str] = None
    initialValues: Optional[dict[str, Any]] = None


class Interaction(Shape):
    model_config = ConfigDict(strict=True, protected_namespaces=())
    prompt: Optional[str] = None
    input_schema: Annotated[InputSchema, Field(alias="schema")]
    check: Annotated[Optional[bool], Field(alias="validate")] = None
    timeoutMs: Optional[float] = None
    onTimeout: Optional[str] = None
    mode: Optional[str] = None


class ThreadOption(Shape):
    label: str
    value: str
    allow_custom: Optional[bool] = None


class ThreadQuestion(Shape):
    question: str
    options: list[ThreadOption]


class Interrupt(Shape):
    questions: listed(ThreadQuestion, 1)


class Condition(Shape):
    question: Optional[str] = None
    is_: Annotated[Optional[Value], Field(alias="is")] = None
    any_of: Optional[list[Value]] = None
    all_of: Optional[list[Value]] = None
    none_of: Optional[list[Value]] = None
    at_least: Optional[Value] = None
    at_most: Optional[Value] = None
    answered: Optional[bool] = None
    own_answer: Optional[bool] = None
    all: Optional[list["Condition"]] = None
    any: Optional[list["Condition"]] = None
    not_: Annotated[Optional["Condition"], Field(alias="not")] = None


class Constraint(Shape):
    required: Optional[bool] = None
    min_length: Optional[Whole] = None
    max_length: Optional[Whole] = None
    min_picks: Optional[Whole] = None
    max_picks: Optional[Whole] = None
    min: Optional[Value] = None
    max: Optional[Value] = None
    multiple_of: Optional[Number] = None
    pattern: Optional[Annotated[Pattern, Field(max_length=1000)]] = None
    fits: Optional[bool] = None
    message: Optional[str] = None


class Option(Shape):
    id: Optional[short(200)] = None
    value: Optional[str] = None
    label: Present
    description: Optional[str] = None
    preview: Optional[str] = None
    recommended: Optional[bool] = None


class Question(Shape):
    id: Optional[short(200)] = None
    key: Optional[str] = None
    label: Optional[str] = None
    prompt: Present
    detail: Optional[str] = None
    kind: Optional[Literal["choice", "text", "confirm", "rating", "number", "date", "time", "datetime"]] = None
    options: Optional[listed(Option, 0, 1000)] = None
    multi: Optional[bool] = None
    other: Optional[bool] = None
    other_label: Optional[str] = None
    placeholder: Optional[str] = None
    long: Optional[bool] = None
    yes: Optional[str] = None
    no: Optional[str] = None
    min: Optional[int] = None
    max: Optional[int] = None
    emoji: Optional[bool] = None
    annotations: Optional[dict[str, str]] = None
    step: Optional[Number] = None
    required: Optional[bool] = None
    unchecked: Optional[bool] = None
    prefill: Any = None
    constraints: Optional[list[Constraint]] = None
    show_if: Optional[Condition] = None
    children: Optional[list["Question"]] = None


class Section(Shape):
    id: Optional[short(200)] = None
    title: Optional[str] = None
    detail: Optional[str] = None
    optional: Optional[bool] = None
    submit: Optional[str] = None
    show_if: Optional[Condition] = None
    questions: listed(Question, 1, 1000)


class Completed(Shape):
    answers: Optional[bool] = None
    summary: Optional[str] = None


class Sayso(Shape):
    sayso: Optional[Literal[1]] = None
    title: Optional[str] = None
    context: Optional[str] = None
    action: Any = None
    submit: Optional[str] = None
    cancel: Optional[str] = None
    completed: Optional[Completed] = None
    rules: Any = None
    questions: Optional[listed(Question, 0, 1000)] = None
    sections: Optional[listed(Section, 0, 1000)] = None


REQUESTS = {
    "sayso": Sayso,
    "questionnaire": Questionnaire,
    "ask_user_question": AskUserQuestion,
    "auq": Auq,
    "interaction": Interaction,
    "interrupt": Interrupt,
}


def every(questions):
    for question in questions:
        yield question
        yield from every(question.get("children", ()))


def bound(question, name):
    return next((each[name] for each in question.get("constraints", ()) if name in each), None)


def answer(question):
    if question["kind"] == "confirm":
        return bool
    if question["kind"] == "text":
        return Annotated[str, Field(min_length=1, max_length=bound(question, "max_length"))]
    one = Literal[tuple(option["id"] for option in question["options"])]
    if not question.get("multi"):
        return one
    return listed(one, 1, bound(question, "max_picks"))


def form(questionnaire):
    """The model of `{answers}` to a questionnaire; what is shown when is left out."""
    members = {question["id"]: (answer(question), ...) for question in every(questionnaire["questions"])}
    answers = create_model("Answers", __config__=STRICT, **members)
    return create_model("Document", __config__=STRICT, answers=(answers, ...))


def measure(work, quick, slow=False):
    warm_ns = 50_000_000 if quick else 500_000_000
    start = time.perf_counter_ns()
    for runs in count(1):
        work()
        spent = time.perf_counter_ns() - start
        if spent >= warm_ns and (runs >= 3 or spent > 4_000_000_000):
            break
    batch = 1 if slow else max(1, math.ceil(200_000 / (spent / runs)))
    limit = 100_000_000 if quick else 1_500_000_000
    samples = []
    begun = time.perf_counter_ns()
    while len(samples) < 15 or (len(samples) < 2_000 and time.perf_counter_ns() - begun < limit):
        start = time.perf_counter_ns()
        for _ in range(batch):
            work()
        samples.append((time.perf_counter_ns() - start) / batch)
        if slow:
            gc.collect()
    samples.sort()
    return {"median_ns": samples[len(samples) // 2]}


def guard(name, check, valid, broken):
    check(valid)
    for text in broken:
        try:
            check(text)
        except ValidationError:
            continue
        raise SystemExit(f"pydantic accepts a broken sample of {name}: {text[:200]}")


def requests(sample, quick):
    check, valid = REQUESTS[sample["name"]].model_validate_json, sample["valid"]
    guard(sample["name"], check, valid, sample["broken"])
    return measure(lambda: check(valid), quick)


def first(sample, quick):
    questionnaire, answers = json.loads(sample["request"]), json.loads(sample["valid"])
    guard(sample["name"], form(questionnaire).model_validate_json, sample["valid"], sample["broken"])
    return measure(lambda: form(questionnaire).model_validate(answers), quick, slow=True)


def whole(sample, quick):
    request, valid = sample["request"], sample["valid"]

    def check(text):
        questionnaire = json.loads(request)
        Sayso.model_validate(questionnaire)
        form(questionnaire).model_validate_json(text)

    guard(sample["name"], check, valid, sample["broken"])
    return measure(lambda: check(valid), quick, slow=True)


ROWS = {"requests": requests, "first": first, "whole": whole}


def main(row, file, *switches):
    with open(file, encoding="utf-8") as samples:
        cases = {sample["name"]: ROWS[row](sample, "--quick" in switches) for sample in json.load(samples)}
    peer, runtime = f"pydantic {pydantic.VERSION}", f"Python {platform.python_version()}"
    print(json.dumps({"peer": peer, "runtime": runtime, "cases": cases}))


if __name__ == "__main__":
    main(*sys.argv[1:])
