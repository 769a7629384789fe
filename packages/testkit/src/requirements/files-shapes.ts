import { built, type Requirement } from "./requirement.ts"

/** What records of filesets and files hold, and what requests may hold. */
export const FILES_SHAPES: readonly Requirement[] = [
  ...built("files §2", {
    "filesets.shape.complete": 'Every field of a fileset is always there: `""` and `{}` where nothing was given.',
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
    "requests.unknown-query":
      "Unknown query parameters are a 422 that names them, except at the hub endpoint, which ignores them.",
    "files.shape.fields": "A file has path, size, file_url, file_ref, cache_status, etag, sha256 and updated_at.",
    "files.shape.file-ref": "`file_ref` is `{ws}/{name}#{path}`.",
    "files.shape.cache-status": "`cache_status` is cached, caching, not_cached, not_cacheable or null.",
    "files.shape.sha256-unknown": "`sha256` is null where the backend can't tell it without reading.",
    "wire.vendor-names.storage":
      "Storage types `ngc`, `huggingface` and `s3` are read as `catalog`, `hub` and `objstore`.",
    "wire.vendor-names.signature": "Signature versions `s3v4` and `s3` are read as `v4` and `v2`.",
    "wire.vendor-names.answers": "Answers use the neutral names, unless the server is told to use the vendors'.",
  }),
  ...built("details: Filters and listing", {
    "filesets.rename":
      "PATCH `name` renames a fileset: files, digests and readers stay, and a new fileset of the old name shares nothing with it.",
    "filesets.create.name": "A fileset's name is 1 to 255 of `A-Za-z0-9_.-`, and neither `.` nor `..`.",
    "files.shape.file-url": "`file_url` is the route of the file's bytes, percent-encoded by segment.",
    "files.shape.etag-quoted": "`etag` in JSON has its quotes, as in the header.",
  }),
  ...built("details: Statuses", {
    "requests.json-invalid": "A body that is no JSON is a 422 of type `json_invalid`.",
    "filesets.update.null-empties":
      'Null in PATCH turns description and project into `""`, metadata and custom_fields into `{}`.',
    "filesets.update.null-purpose": "Null as purpose in PATCH is a 422.",
    "requests.duplicate-name": "A second secret, workspace or project of the same name is a 409.",
  }),
  ...built("details: Hosts", {
    "wire.catalog-host": "The catalog's address is the field `host` of its storage configuration.",
  }),
  ...built("details: Further answers", {
    "wire.sha256-hex": "A SHA-256 in records is lower-case hex.",
  }),
  ...built("files §2", {
    "filesets.create.cache": "`cache: true` warms the read cache in the background, for external storage only.",
  }),
]
