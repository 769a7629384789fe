import type {
  CreateFileset,
  CreateModel,
  CreateProject,
  CreateSecret,
  CreateWorkspace,
  EvaluationConfigBody,
  EvaluationTargetBody,
  FileInfo,
  FileList,
  Fileset,
  FilesetCache,
  FilesetPage,
  FilesetSort,
  FilesetUsage,
  Filter,
  GuardrailData,
  Model,
  ModelPage,
  ModelSort,
  Project,
  ProjectPage,
  RecordSort,
  RotateEncryptionKeysResult,
  Secret,
  SecretAddress,
  SecretPage,
  UpdateFileset,
  UpdateModel,
  UpdateProject,
  UpdateSecret,
  UpdateWorkspace,
  Workspace,
  WorkspacePage,
} from "@assay/schemas"
import type { Baseline } from "@assay/schemas/baselines"
import type { ReadOptions, ReadResult, Storage, WriteOptions } from "@assay/storage"
import type { Audit } from "./audit/create-audit.ts"
import type { SharedDatabase } from "./database/database.ts"
import type { Documents } from "./documents/documents.ts"
import type { EndpointPaces } from "./paces/endpoint-paces.ts"
import type { FileListing } from "./files/share-listings.ts"
import type { Integrity } from "./integrity/integrity.ts"
import type { Jobs } from "./jobs/jobs.ts"
import type { AnalysisRun } from "./models/analysis-run.ts"
import type { Revisions } from "./revisions/revisions.ts"
import type { EndedSessions } from "./sessions/ended-sessions.ts"
import type { Uploads, UploadsOptions } from "./shared-uploads/open-uploads.ts"
import type { WorkspaceBudgets } from "./workspaces/workspace-budgets.ts"
import type { WorkspaceQuery } from "./workspaces/create-workspaces.ts"

export interface PageQuery {
  readonly page: number
  readonly page_size: number
}

export interface SortedQuery extends PageQuery {
  /** Default `name`. */
  readonly sort?: RecordSort
}

/** The workspaces whose records a caller may see: all or a list. */
export type VisibleWorkspaces = "all" | readonly string[]

/**
 * Returns whether a caller may use the secrets of a workspace by reference. Called only for workspaces other than the
 * fileset's own: whoever may use a fileset may use the secrets that it names in its workspace.
 */
export type SecretRights = (workspace: string) => boolean

export interface FilesetQuery extends PageQuery {
  readonly sort: FilesetSort
  readonly filter?: Filter | undefined
}

export interface Workspaces {
  create(body: CreateWorkspace): Promise<Workspace>
  list(query: WorkspaceQuery, visible: VisibleWorkspaces): Promise<WorkspacePage>
  get(name: string): Promise<Workspace>
  update(name: string, body: UpdateWorkspace): Promise<Workspace>
  /**
   * Removes a workspace with its projects and configurations.
   * @throws `in_use` while it contains filesets, models, secrets or evaluation jobs, unless `cascade`
   */
  remove(name: string, options: { readonly cascade: boolean }): Promise<Workspace>
}

export interface Projects {
  create(workspace: string, body: CreateProject): Promise<Project>
  list(workspace: string, query: SortedQuery): Promise<ProjectPage>
  get(workspace: string, name: string): Promise<Project>
  update(workspace: string, name: string, body: UpdateProject): Promise<Project>
  remove(workspace: string, name: string): Promise<Project>
}

interface RemoveSecretOptions {
  /** Default false. */
  readonly force?: boolean
  /** Default: all. */
  readonly visible?: VisibleWorkspaces
}

export interface Secrets {
  /** @param options `owner`: the id of the job that the secret is made for. The secret is removed with the job. */
  create(workspace: string, body: CreateSecret, options?: { readonly owner?: string }): Promise<Secret>
  list(workspace: string, query: SortedQuery): Promise<SecretPage>
  get(workspace: string, name: string): Promise<Secret>
  update(workspace: string, name: string, body: UpdateSecret): Promise<Secret>
  /** @throws `in_use` while anything names it, unless `force`. The message names the visible uses and counts the others. */
  remove(workspace: string, name: string, options?: RemoveSecretOptions): Promise<void>
  /** Returns the id of the job that a secret was made for, or undefined. */
  ownerOf(workspace: string, name: string): Promise<string | undefined>
  /** Removes the secrets that were made for a job. */
  removeOwned(owner: string): Promise<void>
  /** Seals the data keys of all secrets with the newest key-encryption key, or of none. @throws `encryption_key_missing` */
  rotateEncryptionKeys(): Promise<RotateEncryptionKeysResult>
  /** Returns the value of a secret. Only for adapters: no route returns it. @throws `secret_not_readable` */
  resolve(workspace: string, name: string): Promise<string>
  /** Returns a text that changes as soon as one of the secrets gets a new value. @throws `secret_not_readable` if one is missing */
  versions(secrets: readonly SecretAddress[]): Promise<string>
}

export interface Filesets {
  /**
   * Makes a fileset, after a check that the storage that it names can be used.
   * @throws `already_exists`, `secret_not_readable`, `storage_not_allowed`, `storage_not_usable`, `host_not_allowed`,
   * `upstream_failed`; `unavailable` while the files of a removed fileset with the name are being deleted
   */
  create(workspace: string, body: CreateFileset, options?: Abortable): Promise<Fileset>
  /** Lists the filesets of a workspace. Undefined: of all visible workspaces. */
  list(workspace: string | undefined, query: FilesetQuery, visible: VisibleWorkspaces): Promise<FilesetPage>
  get(workspace: string, name: string): Promise<Fileset>
  /** Returns the numbers of files and bytes by id, as last known, in one query. A fileset whose numbers are not known is absent. */
  usage(filesets: readonly Pick<Fileset, "id">[]): Promise<ReadonlyMap<string, FilesetUsage>>
  update(workspace: string, name: string, body: UpdateFileset): Promise<Fileset>
  /** Removes the record, and the files if they are on the server's default storage. */
  remove(workspace: string, name: string): Promise<Fileset>
}

export interface ModelQuery extends PageQuery {
  readonly sort: ModelSort
}

/** Models and their analyses. The caller runs an analysis, and reports its result to the `AnalysisRun`. */
export interface Models {
  /**
   * Makes a model and begins its analysis.
   * @throws `already_exists`; `not_found` if there is no such fileset
   */
  create(workspace: string, body: CreateModel): Promise<AnalysisRun>
  list(workspace: string, query: ModelQuery): Promise<ModelPage>
  get(workspace: string, name: string): Promise<Model>
  update(workspace: string, name: string, body: UpdateModel): Promise<Model>
  remove(workspace: string, name: string): Promise<Model>
  /** Begins another analysis. Undefined while one is running on any server. */
  startAnalysis(workspace: string, name: string): Promise<AnalysisRun | undefined>
}

export interface Abortable {
  readonly signal?: AbortSignal | undefined
}

/** For long changes: in the meantime a fileset can be renamed, and another one can get its name. */
interface MeantFileset {
  /** The id of the fileset to be changed. If another fileset has the name now, the change fails with `not_found`. */
  readonly filesetId?: string | undefined
}

export interface FileListQuery extends Abortable {
  readonly path?: string | undefined
  readonly limit?: number | undefined
  readonly page_token?: string | undefined
  /** False: only what is directly in the folder `path`. Default true. */
  readonly recursive?: boolean
  /** Only files whose path has this text, whatever its case. */
  readonly contains?: string | undefined
  /** Whether to return the cache status of each file. Default false: `cache_status` is null. */
  readonly include_cache_status?: boolean
}

/**
 * Files of filesets, by workspace, fileset, and path as text, which is parsed here. Everything below gets parsed paths.
 * @throws `secret_not_readable`, from every method, if a secret of the fileset's storage is missing or may not be used
 */
export interface Files {
  /** With `recursive: false` or `contains`, a page has at most 1,000 entries, and can have fewer before the last page. */
  list(workspace: string, fileset: string, query: FileListQuery): Promise<FileList>
  /** Yields the JSON of the files of all levels in batches, of which a few are in memory at a time. Returns the token of the next page. */
  stream(workspace: string, fileset: string, query: FileListQuery): FileListing
  stat(workspace: string, fileset: string, path: string, options?: Abortable): Promise<FileInfo>
  read(workspace: string, fileset: string, path: string, options?: ReadOptions): Promise<ReadResult>
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: WriteOptions & MeantFileset,
  ): Promise<FileInfo>
  /** @throws `not_found` if there is no such file */
  remove(workspace: string, fileset: string, path: string, options?: Abortable & MeantFileset): Promise<FileInfo>
  /** Checks that the fileset exists and its storage is writable. @throws `not_found`, `method_not_allowed` */
  checkWritable(workspace: string, fileset: string): Promise<void>
  /** Opens the storage of a fileset with its secrets. */
  open(workspace: string, fileset: string): Promise<Storage>
}

/** The read cache of filesets on remote storage. */
export interface Caches {
  /** Returns the progress or the result of the last warm-up. */
  get(workspace: string, fileset: string): Promise<FilesetCache>
  /**
   * Starts to bring all files into the cache in the background, unless this is running already.
   * @throws `method_not_allowed` for a fileset that is not cached
   */
  warm(workspace: string, fileset: string): Promise<FilesetCache>
  /** Ends the warm-up, and removes the fileset's files from the cache, also for other filesets with the same files. */
  drop(workspace: string, fileset: string, options?: Abortable): Promise<FilesetCache>
}

/** The parts of the registry that use secrets on behalf of a caller. */
export interface CallerRegistry {
  readonly filesets: Filesets
  readonly files: Files
  readonly caches: Caches
  readonly revisions: Revisions
}

/**
 * Workspaces, secrets, projects, models, filesets and their files, jobs and configurations in one database. Without `as`, the
 * parts of `CallerRegistry` use only secrets of the fileset's own workspace.
 */
export interface Registry extends CallerRegistry {
  readonly workspaces: Workspaces
  readonly budgets: WorkspaceBudgets
  readonly endpointPaces: EndpointPaces
  readonly projects: Projects
  readonly secrets: Secrets
  readonly models: Models
  readonly guardrailConfigurations: Documents<GuardrailData>
  readonly jobs: Jobs
  readonly evaluationTargets: Documents<EvaluationTargetBody>
  readonly evaluationConfigurations: Documents<EvaluationConfigBody>
  readonly evaluationBaselines: Documents<Pick<Baseline, "history">>
  /** Returns the parts for a caller with these rights: `registry.as(rights).files.read(…)`. Cheap: call it for each request. */
  as(rights: SecretRights): CallerRegistry
  /** Opens the uploads in progress. */
  openUploads(options: UploadsOptions): Uploads
  /** Checks that the database responds and the default storage is writable. @throws the error of the part that fails */
  checkReady(): Promise<void>
  /** The database for the queue of jobs. Undefined if it belongs to this server alone. */
  readonly sharedDatabase: SharedDatabase | undefined
  readonly audit: Audit
  readonly endedSessions: EndedSessions
  /** Checks the recorded data for damage. */
  readonly integrity: Integrity
  /** Returns a sentence if the clock of this machine differs by more than 2 s from the clock of a shared database. */
  checkClock(): Promise<string | undefined>
  /** Returns a sentence if no notices of a shared database arrive here. Takes up to some seconds. */
  checkNotices(): Promise<string | undefined>
  /** Returns how many connections a shared database allows to all its servers together. */
  readConnectionLimit(): Promise<number | undefined>
  close(): Promise<void>
}
