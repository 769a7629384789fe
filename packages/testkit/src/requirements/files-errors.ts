import { built, type Requirement } from "./requirement.ts"

/** How failures are answered, and which clients must work. */
export const FILES_ERRORS: readonly Requirement[] = [
  ...built("files §5", {
    "errors.invalid-request": "A 422 has the array form, built from the schema failure, for every operation.",
    "errors.body": "Every other error is `{detail, code}`: one sentence, and a code from the catalogue.",
    "errors.workspace-missing": "A missing workspace is a 404 `Workspace '{ws}' not found`.",
    "errors.fileset-missing": "A missing fileset is a 404 `Fileset '{name}' not found in workspace '{ws}'`.",
    "errors.file-missing": "A missing file is a 404 `File '{path}' not found in fileset '{ws}/{name}'`.",
    "errors.fileset-exists": "A name that is taken is a 409 `Fileset '{ws}/{name}' already exists`.",
    "errors.create-in-missing-workspace": 'Creating in a missing workspace is a 422 item at `["path","workspace"]`.',
    "errors.too-large": "A body over the limit is a 413 that names the limit.",
    "errors.retry-after": "429 and 503 carry Retry-After.",
    "clients.delete-empty-json": "DELETE with a JSON content type and an empty body works.",
    "clients.spaces-in-queries": "`+` and `%20` are spaces in queries.",
    "clients.any-accept": "Any Accept header is answered.",
    "clients.keep-alive": "Connections are kept alive, and pipelined requests are answered in order.",
    "clients.head-then-ranges": "HEAD followed by ranged GETs works.",
  }),
  ...built("trust §2", {
    "input.depth": "JSON deeper than 64 levels is a 422 on every route, in filters too.",
    "input.parts":
      "JSON of more than 250,000 objects, lists and keys, 500,000 elements or 20,000 keys of one object is a 422.",
    "errors.bounded": "An error echoes at most a few hundred bytes of input, and at most 50 issues.",
  }),
  ...built("files §5", {
    "errors.upstream": "An upstream that is unreachable or broken is a 502 that says which one and what to check.",
  }),
]
