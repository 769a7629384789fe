import { rules, type Requirement } from "./requirement.ts"

/** Answers to failures, and the hosts where files may be. */
export const FILES_ERRORS: readonly Requirement[] = [
  ...rules("files.md#remote-hosts", {
    "cache.damage":
      "A damaged copy in the read cache is never served whole: it is dropped, and the file comes from its backend.",
    "files.download.upstream-status":
      "An upstream that fails before the first byte gives a status, not a broken stream.",
    "storage.default.objstore": "The default storage can be any `objstore`, so that several servers share it.",
    "storage.objstore.sdk-auth": "`use_sdk_auth` is for the server's own default storage only.",
    "hosts.external": "External hosts are the public catalog and hub and the operator's list.",
    "hosts.private": "Private, loopback and link-local addresses are refused unless listed.",
    "hosts.dialled": "The check is made on the address that is really dialled.",
    "hosts.rule-port": "A rule with a port or scheme holds for the address, port and scheme that are dialled.",
    "hosts.list":
      "The operator's list accepts host, host:port, *.suffix, scheme://host:port and CIDR, and adds to the public hosts.",
    "hosts.link-local": "Link-local addresses are refused unless listed.",
    "hosts.network-names": "A name that no rule lists leads only into the networks on the list.",
    "hosts.metadata": "Addresses of cloud metadata services are refused unless a rule names only that address.",
    "storage.external.probed":
      "Creating a `hub` or `catalog` fileset reads the listing and one byte of the first file.",
    "hosts.inference":
      "Inference endpoints are free on loopback without auth, else public addresses and the operator's list.",
    "storage.upstream-statuses": "Upstream 401 and 403 become 502 with a code, 404 stays 404, 5xx becomes 502.",
    "storage.external.deadline":
      "A backend that accepts requests and stays silent is a 504 with a code within 45 s, retries included.",
    "storage.tls-reasons":
      "A backend that speaks only TLS before 1.2, and one that resets the TLS handshake, are named as such.",
    "urls.no-user":
      "An address with a user name or a password is refused everywhere, and never stored, followed or shown.",
    "storage.objstore.anonymous": "No objstore secrets means anonymous access.",
  }),
  ...rules("files.md#errors", {
    "errors.invalid-request": "A 422 has the array form, built from the schema failure, for every operation.",
    "errors.body": "Every other error is `{detail, code}`: one sentence, and a code from the catalogue.",
    "errors.workspace-missing": "A missing workspace is a 404 `Workspace '{ws}' not found`.",
    "errors.fileset-missing": "A missing fileset is a 404 `Fileset '{name}' not found in workspace '{ws}'`.",
    "errors.file-missing": "A missing file is a 404 `File '{path}' not found in fileset '{ws}/{name}'`.",
    "errors.fileset-exists": "A duplicate name is a 409 `Fileset '{ws}/{name}' already exists`.",
    "errors.create-in-missing-workspace": 'Creating in a missing workspace is a 422 item at `["path","workspace"]`.',
    "errors.too-large": "A body over the limit is a 413 that names the limit.",
    "errors.retry-after": "429 and 503 have Retry-After.",
    "clients.delete-empty-json": "DELETE with a JSON content type and an empty body works.",
    "clients.spaces-in-queries": "`+` and `%20` are spaces in queries.",
    "clients.any-accept": "Any Accept header is answered.",
    "clients.keep-alive": "Connections are kept alive, and pipelined requests are answered in order.",
    "clients.head-then-ranges": "HEAD followed by ranged GETs works.",
    "input.depth": "JSON deeper than 64 levels is a 422 on every route, in filters too.",
    "input.parts":
      "JSON of more than 250,000 objects, lists and keys, 500,000 elements or 20,000 keys of one object is a 422.",
    "errors.bounded": "An error echoes at most a few hundred bytes of input, and at most 50 issues.",
    "errors.upstream": "An upstream that is unreachable or broken is a 502 that says which one and what to check.",
    "requests.json-invalid":
      "A body that is not JSON, or has a key twice in one object, is a 422 of type `json_invalid`.",
    "filesets.update.null-empties":
      'Null in PATCH turns description and project into `""`, metadata and custom_fields into `{}`.',
    "filesets.update.null-purpose": "Null as purpose in PATCH is a 422.",
    "requests.null-is-absent": "Null in the body of a creation means that the field is not given.",
    "requests.duplicate-name": "A second secret, workspace or project of the same name is a 409.",
  }),
]
