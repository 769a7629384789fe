import { rules, type Requirement } from "./requirement.ts"

/** Routes of filesets, files, secrets, workspaces and the service. */
export const FILES_ROUTES: readonly Requirement[] = [
  ...rules("files.md#routes", {
    "filesets.signature":
      "With `signature`, a fileset of storage with files is created only if a trusted key or certificate signed them (`required`), or says in `signature_status` what was found (`report`).",
    "filesets.create.status-200": "POST on filesets returns 200 with the fileset.",
    "filesets.list.route": "GET on filesets returns 200 with a page of filesets.",
    "filesets.get.route": "GET on one fileset returns 200 with it.",
    "filesets.update.route": "PATCH on a fileset returns 200 with the changed fileset.",
    "filesets.delete.answers-record": "DELETE on a fileset returns 200 with the deleted fileset.",
    "filesets.delete.in-groups":
      "A deleted fileset is gone at once. Its files and their records are deleted later, in small groups and bounded memory; the next start continues after a crash.",
    "filesets.list.all-workspaces": "Workspace `-` lists over all workspaces that the caller may see.",
    "files.list.route": "GET on files returns 200 with `{data}`, an array of files.",
    "files.list.include-cache-status": "`include_cache_status` is accepted and is false by default.",
    "files.head.route": "HEAD on a file returns the headers of GET and no body.",
    "files.get.route": "GET on a file returns 200 with its bytes.",
    "files.put.raw-body": "PUT on a file accepts raw bytes and returns 200 with the file.",
    "files.put.multipart-body": "PUT on a file accepts multipart with one part named `file`.",
    "files.delete.conditions":
      "DELETE on a file is a 412 if If-Match, If-None-Match or If-Unmodified-Since do not hold just before.",
    "files.delete.answers-record": "DELETE on a file returns 200 with the deleted file.",
    "service.health-live": "GET /health/live succeeds while the process lives.",
    "service.health-ready":
      "GET /health/ready succeeds if the database answers and the default storage is writable, and fails otherwise.",
    "service.status": 'GET /status returns `{"status": "healthy"}` and more.',
    "service.cluster-info": "GET /cluster-info returns `{platform_version, revision}`.",
    "service.compression":
      "Answers of text are compressed if the client accepts it, with Vary; files, ranges, events, small answers and answers for other sites are not.",
    "service.openapi": "GET /openapi.json is an OpenAPI 3.1 description made from the schemas.",
    "service.docs": "GET /docs is a browsable reference.",
    "service.home": "GET / leads people and programs to the reference, also if a token is required.",
    "service.openapi-operations": "Each operation has its own id and an example that works on a new server.",
    "service.unknown-keys":
      "Unknown keys of a body are a 422 that names them, at each depth that the description writes out.",
    "service.metrics": "GET /metrics is Prometheus text.",
  }),
  ...rules("files.md#secrets", {
    "secrets.create.route": "POST on secrets returns 201 with name, workspace, description and times.",
    "secrets.list.route": "GET on secrets returns a page by `page` and `page_size`.",
    "secrets.get.route": "GET on one secret returns its record.",
    "secrets.update.route": "PATCH on a secret changes description, value or both and returns 200.",
    "secrets.delete.status-204": "DELETE on a secret returns 204.",
    "secrets.in-use": "A secret that a record names is deleted only with force; the refusal lists what names it.",
    "secrets.value-never-returned": "No route returns the value of a secret.",
    "secrets.encrypted-at-rest":
      "A value is stored encrypted, with a data key per secret wrapped by a named key-encryption key.",
    "secrets.encryption-key-given": "The operator can give the key-encryption keys.",
    "secrets.encryption-key-made":
      "Without given keys one is made on first start, in a file that only its owner can read.",
    "secrets.rotate.route": "POST on rotate-encryption-keys returns 202 with `{rotated_secrets, success}`.",
    "secrets.rotate.all-or-nothing": "Rotation fails and changes nothing if a secret cannot be unwrapped.",
    "secrets.lost-keys":
      "A server does not start while no key unwraps its secrets; it names the key and how many need it.",
    "secrets.rotate.rewraps": "Rotation wraps the data key of every secret with the newest key; values stay readable.",
    "secrets.empty-value-refused": "An empty value is refused with 422.",
    "workspaces.create.route": "POST on workspaces returns 201 with the workspace.",
    "workspaces.list.route": "GET on workspaces returns a page of them.",
    "workspaces.list.page-size": "A page of workspaces has 100 records by default and at most 1000.",
    "workspaces.list.filters": "Workspaces are filtered, searched and sorted as other listings are.",
    "workspaces.get.route": "GET on one workspace returns it.",
    "workspaces.update.route": "PUT on a workspace replaces its description.",
    "workspaces.delete.in-use": "DELETE on a workspace that contains filesets, models, jobs or secrets returns 409.",
    "workspaces.delete.configurations":
      "Projects and configurations do not prevent the deletion of a workspace; they are deleted with it.",
    "platform-v1.namespaces": "/v1/namespaces lists, creates, changes and deletes workspaces in the platform's shapes.",
    "platform-v1.data-store": "/v1/datastore/namespaces accepts JSON and forms, and returns workspaces.",
    "platform-v1.first-use":
      "The first repository or dataset of a namespace that does not exist creates it, for callers who may create workspaces.",
    "platform-v1.datasets": "/v1/datasets are filesets, at this server or with the storage of another hub.",
    "platform-v1.hub": "/v1/hf is the hub endpoint.",
    "workspaces.delete.cascade": "DELETE with `cascade=true` removes the workspace with what it holds.",
    "workspaces.name":
      "A workspace's name is 2 to 63 of `a-z0-9-@.+_`, a letter first, without `--`, without `-` at the end.",
    "workspaces.built-in.exist": "The workspaces `default` and `system` exist from the start.",
    "workspaces.built-in.stay": "DELETE on `default` or `system` returns 409.",
    "projects.create.route": "POST on projects returns 201 with the project.",
    "projects.list.route": "GET on projects returns a page of them.",
    "projects.get.route": "GET on one project returns it.",
    "projects.update.route": "PUT on a project replaces its description.",
    "projects.shape": "A project has id, name, workspace, description, created_at and updated_at.",
  }),
  ...rules("files.md#workspaces", {
    "workspaces.delete.answers-record": "DELETE on a workspace returns 200 with the deleted record.",
    "projects.delete.answers-record": "DELETE on a project returns 200 with the deleted record.",
  }),
]
