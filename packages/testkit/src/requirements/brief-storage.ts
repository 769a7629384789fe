import { built, type Requirement } from "./requirement.ts"

const SOURCE = "brief: Storage configurations"

/** The four storage configurations, row by row. */
export const BRIEF_STORAGE: readonly Requirement[] = [
  ...built(SOURCE, {
    "brief.storage.discriminated": "A storage is exactly one of four configurations, told apart by `type`.",
    "brief.storage.read-chunk-size": "`read_chunk_size` is an integer, 1048576 bytes by default, in all four.",
    "brief.storage.local.type": "`type` is `local` where none is given.",
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
  }),
  ...built(SOURCE, {
    "brief.storage.catalog.version": "Without a version the latest is used; `version` holds the resolved id.",
    "brief.storage.catalog.original-version": "`original_version` keeps the version as requested.",
    "brief.storage.catalog.api-key": "The catalog is asked with the key in `api_key_secret`.",
    "brief.storage.hub.revision-resolved": "A branch, tag or SHA is resolved; `revision` holds the commit SHA.",
    "brief.storage.hub.original-revision": "`original_revision` keeps the revision as requested.",
    "brief.storage.hub.token": "The hub is asked with the token in `token_secret`, where one is given.",
    "brief.storage.objstore.prefix-relative": "All operations on an object store are relative to `prefix`.",
    "brief.storage.objstore.region": "Without `region` the client library's environment default applies.",
    "brief.storage.objstore.endpoint":
      "`endpoint_url` names a compatible store; without it the default cloud store is used.",
    "brief.storage.objstore.ambient": "The ambient credential chain is for the platform's default storage only.",
    "brief.storage.objstore.explicit": "A user's object store needs both secret references, and use_sdk_auth false.",
    "brief.storage.objstore.legacy-signature": "`v2` signs for systems that know only the older signature.",
  }),
]
