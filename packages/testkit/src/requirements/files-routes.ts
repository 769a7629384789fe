import { built, type Requirement } from "./requirement.ts"

/** Routes of filesets and files, and what holds for every body. */
export const FILES_ROUTES: readonly Requirement[] = [
  ...built("files", {
    "wire.snake-case": "Every body is JSON with snake_case names.",
    "wire.timestamps": "Every time is UTC, ISO 8601 with milliseconds and Z.",
    "wire.fileset-id": "A fileset's id is `fileset-` and base58 of 16 random bytes.",
    "clients.published-sdk":
      "Requests as the platform's published SDKs send them are answered as those SDKs read them.",
  }),
  ...built("files §1", {
    "filesets.create.status-200": "POST on filesets answers 200 with the fileset.",
    "filesets.list.route": "GET on filesets answers 200 with a page of filesets.",
    "filesets.get.route": "GET on one fileset answers 200 with it.",
    "filesets.update.route": "PATCH on a fileset answers 200 with the changed fileset.",
    "filesets.delete.answers-record": "DELETE on a fileset answers 200 with the deleted fileset.",
    "filesets.list.all-workspaces": "Workspace `-` lists over all workspaces that the caller may see.",
    "files.list.route": "GET on files answers 200 with `{data}`, an array of files.",
    "files.list.include-cache-status": "`include_cache_status` is accepted and is false by default.",
    "files.head.route": "HEAD on a file answers with the headers of GET and no body.",
    "files.get.route": "GET on a file answers 200 with its bytes.",
    "files.put.raw-body": "PUT on a file takes raw bytes and answers 200 with the file.",
    "files.put.multipart-body": "PUT on a file takes multipart with one part named `file`.",
    "files.delete.answers-record": "DELETE on a file answers 200 with the deleted file.",
    "service.health-live": "GET /health/live answers while the process lives.",
    "service.health-ready":
      "GET /health/ready is good when the database answers and the default storage is writable, bad otherwise.",
    "service.status": 'GET /status answers `{"status": "healthy"}` with more beside it.',
    "service.cluster-info": "GET /cluster-info answers `{platform_version, revision}`.",
    "service.openapi": "GET /openapi.json is an OpenAPI 3.1 description made from the schemas.",
    "service.docs": "GET /docs is a browsable reference.",
    "service.home": "GET / leads people and programs to the reference, also where a token is asked for.",
    "service.openapi-operations": "Each operation has an id of its own and an example that a new server answers.",
    "service.metrics": "GET /metrics is Prometheus text.",
  }),
]
