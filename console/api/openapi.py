"""The OpenAPI description: ninja's, with the bodies that we read ourselves and the problem documents."""

from collections.abc import Mapping
from copy import deepcopy

from ninja import NinjaAPI, Schema
from ninja.openapi.schema import REF_TEMPLATE, OpenAPISchema
from pydantic.json_schema import models_json_schema

from console.api.problems import MEDIA_TYPE
from console.api.schemas import bodies
from console.api.schemas.answers import ProblemAnswer

BODIES: tuple[type[Schema], ...] = (
    bodies.AskBody,
    bodies.ChangeBody,
    bodies.CorrectionBody,
    bodies.DecisionBody,
    bodies.DraftBody,
    bodies.KeyBody,
    bodies.NewMessageBody,
    bodies.ResolutionBody,
    bodies.TicketFields,
    bodies.VersionBody,
)

ALWAYS = {"401": "No valid token", "403": "Not for this token or its user", "500": "A fault here", "503": "No database"}
WITH_BODY = {
    "400": "Not strict JSON in UTF-8",
    "411": "No Content-Length",
    "413": "More than 256 kB",
    "415": "Not application/json",
    "422": "A field cannot be taken, or the Idempotency-Key came with other content",
}
WITH_NAME = {"404": "There is nothing of that name"}
WITH_QUERY = {"422": "A parameter cannot be taken"}
MAY_CONFLICT = {"409": "Refused by the rules, overtaken by somebody else, or still running"}

IDEMPOTENCY_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "The same key with the same request is answered like the first one; with another it is refused.",
    "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
}


def body(model: type[Schema]) -> dict[str, object]:
    """Describe an operation's body, which takes an idempotency key beside it."""
    schema = {"$ref": REF_TEMPLATE.format(model=model.__name__)}
    return {
        "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
        "parameters": [IDEMPOTENCY_KEY],
    }


class DescribedApi(NinjaAPI):
    """The API with a description of everything that it takes and answers."""

    def get_openapi_schema(
        self, *, path_prefix: str | None = None, path_params: Mapping[str, object] | None = None
    ) -> OpenAPISchema:
        """Return the description as plain JSON values."""
        schema = super().get_openapi_schema(path_prefix=path_prefix, path_params=dict(path_params or {}))
        schema["components"]["schemas"].update(_definitions())
        for path, operations in schema["paths"].items():
            for operation in operations.values():
                _describe_problems(operation, has_name="{" in path)
        return schema


def _definitions() -> dict[str, object]:
    wanted = [(model, "validation") for model in BODIES]
    _, bodies_found = models_json_schema([*wanted], ref_template=REF_TEMPLATE)  # type: ignore[list-item]  # the mode is a Literal
    _, problem = models_json_schema([(ProblemAnswer, "serialization")], ref_template=REF_TEMPLATE)
    return {**bodies_found["$defs"], **problem["$defs"]}


def _describe_problems(operation: dict[str, dict[str, object]], *, has_name: bool) -> None:
    content = {MEDIA_TYPE: {"schema": {"$ref": REF_TEMPLATE.format(model=ProblemAnswer.__name__)}}}
    expected = dict(ALWAYS) if operation.get("security") else {}
    if has_name:
        expected |= WITH_NAME
    if "requestBody" in operation:
        expected |= WITH_BODY | MAY_CONFLICT
    elif operation.get("parameters"):
        expected |= WITH_QUERY
    for status, description in expected.items():
        operation["responses"][status] = {"description": description, "content": deepcopy(content)}
