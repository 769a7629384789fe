import { rules, type Requirement } from "./requirement.ts"

/** Shapes that all interfaces share: filesets, files, storage configurations, metadata and pages. */
export const RECORDS: readonly Requirement[] = [
  ...rules("records.md#filesets", {
    "brief.filesets-in-workspaces": "Filesets live inside workspaces; one name can be used in each.",
    "brief.list.one-workspace": "A listing contains the filesets of one workspace.",
    "brief.fileset.fields":
      "A fileset has id, name, workspace, description, purpose, storage, metadata, custom_fields, project and both times.",
    "brief.fileset.purpose": "A purpose is dataset, generic or model.",
    "brief.fileset.custom-fields": "Custom fields are a free-form map with values of any type.",
    "filesets.shape.complete": 'Every field of a fileset is always present: `""` and `{}` if nothing was given.',
    "filesets.create.name-required": "A fileset can't be created without a name.",
    "filesets.create.description-limit": "A description has at most 1000 characters.",
    "filesets.create.default-storage":
      "Storage absent or null is the server's default storage below `filesets/{ws}/{name}`.",
    "filesets.create.purpose-default": "The purpose is `generic` unless given.",
    "filesets.create.keeps-what-is-given":
      "Description, project, purpose, metadata and custom fields come back as they were given.",
    "filesets.update.fields": "PATCH changes any of description, project, purpose, metadata, custom_fields.",
    "filesets.update.replaces-whole": "A key given in PATCH replaces the whole value; keys not given stay.",
    "filesets.update.storage-fixed": "Naming `storage` in PATCH is a 422.",
    "requests.unknown-keys": "Unknown keys of a request body are a 422 that names them.",
    "requests.number-ranges":
      "Numbers are decimal and have a range; a number outside of it is a 422 with the range, equal on both databases.",
    "requests.unknown-query":
      "Unknown query parameters are a 422 that names them, except at the hub endpoint, which ignores them.",
    "files.shape.fields": "A file has path, size, file_url, file_ref, cache_status, etag, sha256 and updated_at.",
    "files.shape.file-ref": "`file_ref` is `{ws}/{name}#{path}`.",
    "files.shape.cache-status": "`cache_status` is cached, caching, not_cached, not_cacheable or null.",
    "files.shape.sha256-unknown": "`sha256` is null if the backend does not know it without reading.",
    "wire.vendor-names.storage":
      "Storage types `ngc`, `huggingface` and `s3` are read as `catalog`, `hub` and `objstore`.",
    "wire.vendor-names.signature": "Signature versions `s3v4` and `s3` are read as `v4` and `v2`.",
    "wire.vendor-names.answers": "Answers use the neutral names unless the server is set to the vendors' names.",
    "filesets.create.cache": "`cache: true` warms the read cache in the background, for external storage only.",
  }),
  ...rules("records.md#metadata", {
    "brief.metadata.keys": "Metadata has the optional keys `dataset` and `model`, and no others.",
    "brief.metadata.schema": "`dataset.schema` is an inline JSON Schema or a key of schema_defs.",
    "brief.metadata.schema-defs": "`dataset.schema_defs` maps names to JSON Schemas.",
    "brief.metadata.schemas-by-path":
      "`dataset.schemas_by_path` maps file paths to a JSON Schema or a key of schema_defs.",
    "brief.metadata.tool-calling":
      "`model.tool_calling` has chat_template, tool_call_parser, tool_call_plugin and auto_tool_choice.",
    "brief.metadata.tool-call-plugin": "`tool_call_plugin` is `<workspace>/<fileset_name>`.",
    "brief.metadata.merged":
      "Tool-calling settings are merged into the model specification during checkpoint analysis.",
    "brief.metadata.row-schema":
      "Rows of a dataset's files are checked against the schema of their path, or the default one.",
  }),
  ...rules("records.md#pages", {
    "brief.page.fields": "A page has `data`, and may have pagination, sort and filter.",
    "brief.page.pagination":
      "Pagination has page, page_size, current_page_size, total_pages and total_results, all integers.",
  }),
  ...rules("records.md#records", {
    "brief.versioning.files": "The files interface has `v2` in its path.",
    "brief.versioning.description": "The description of the files interface is at version 1.0.0.",
    "brief.versioning.evaluation": "The evaluation interface has `v1` in its path.",
    "wire.snake-case": "Every body is JSON with snake_case names.",
    "wire.timestamps": "Every time is UTC, ISO 8601 with milliseconds and Z.",
    "wire.fileset-id": "A fileset's id is `fileset-` and base58 of 16 random bytes.",
    "clients.published-sdk":
      "Requests as the platform's published SDKs send them are answered as those SDKs read them.",
    "wire.sha256-hex": "A SHA-256 in records is lower-case hex.",
  }),
  ...rules("records.md#storage-configurations", {
    "brief.storage.discriminated": "A storage is exactly one of four configurations, selected by `type`.",
    "brief.storage.read-chunk-size": "`read_chunk_size` is an integer, 1048576 bytes by default, in all four.",
    "brief.storage.local.type": "`type` is `local` by default.",
    "brief.storage.local.path": "`local` needs `path`.",
    "brief.storage.local.write-buffer-size": "`write_buffer_size` is 16777216 bytes by default.",
    "brief.storage.catalog.required": "`catalog` needs org, team, target and api_key_secret.",
    "brief.storage.catalog.target-type": "`target_type` is resource (default) or model.",
    "brief.storage.catalog.service": "The catalog's address is the public one by default.",
    "brief.storage.hub.required": "`hub` needs repo_id.",
    "brief.storage.hub.repo-type": "`repo_type` is model (default), dataset or space.",
    "brief.storage.hub.revision": "`revision` is `main` by default.",
    "brief.storage.hub.endpoint": "The hub's address is the public one by default, and can be a self-hosted one.",
    "brief.storage.objstore.required": "`objstore` needs bucket.",
    "brief.storage.objstore.prefix": "`prefix` is empty by default.",
    "brief.storage.objstore.use-sdk-auth": "`use_sdk_auth` is false by default.",
    "brief.storage.objstore.signature": "`signature_version` is v4 (default) or v2.",
    "brief.storage.catalog.version": "Without a version the latest is used; `version` holds the resolved id.",
    "brief.storage.catalog.original-version": "`original_version` keeps the version as requested.",
    "brief.storage.catalog.api-key": "Requests to the catalog use the key in `api_key_secret`.",
    "brief.storage.hub.revision-resolved": "A branch, tag or SHA is resolved; `revision` holds the commit SHA.",
    "brief.storage.hub.original-revision": "`original_revision` keeps the revision as requested.",
    "brief.storage.hub.token": "Requests to the hub use the token in `token_secret`, if one is given.",
    "brief.storage.objstore.prefix-relative": "All operations on an object store are relative to `prefix`.",
    "brief.storage.objstore.region": "Without `region`, the environment default of the client library is used.",
    "brief.storage.objstore.endpoint":
      "`endpoint_url` names a compatible store; without it the default cloud store is used.",
    "brief.storage.objstore.ambient": "The ambient credential chain is for the platform's default storage only.",
    "brief.storage.objstore.explicit": "A user's object store needs both secret references, and use_sdk_auth false.",
    "brief.storage.objstore.legacy-signature": "`v2` signs for systems that know only the older signature.",
    "storage.objstore.both-secrets": "One of the two objstore secrets missing is a 422 at `body.storage`.",
    "wire.catalog-host": "The catalog's address is the field `host` of its storage configuration.",
  }),
  ...rules("records.md#files", {
    "filesets.rename":
      "PATCH `name` renames a fileset: files, digests and readers stay, and a new fileset of the old name shares nothing with it.",
    "filesets.create.name": "A fileset's name is 1 to 255 of `A-Za-z0-9_.-`, and neither `.` nor `..`.",
    "files.shape.file-url": "`file_url` is the route of the file's bytes, percent-encoded by segment.",
    "files.shape.etag-quoted": "`etag` in JSON has its quotes, as in the header.",
  }),
  ...rules("records.md#secret-references", {
    "secret-ref.forms": "A secret reference is `name` (workspace of the request) or `workspace/name`.",
    "secret-ref.resolved-late": "A reference is resolved when bytes are touched.",
    "secret-ref.rights": "A reference is resolved only if the caller may use secrets in the workspace that it names.",
  }),
]
