import type {
  CreateFileset,
  CreateModel,
  CreateProject,
  CreateSecret,
  CreateWorkspace,
  EvaluationConfigBody,
  EvaluationTargetBody,
  FileInfo,
  Fileset,
  FilesetCache,
  FilesetPage,
  FilesetSort,
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
import type { ReadOptions, ReadResult, Storage, WriteOptions } from "@assay/storage"
import type { Documents } from "./documents/documents.ts"
import type { Integrity } from "./integrity/integrity.ts"
import type { Jobs } from "./jobs/jobs.ts"
import type { AnalysisRun } from "./models/analysis-run.ts"
import type { Trees } from "./revisions/revisions.ts"
import type { WorkspaceQuery } from "./workspaces/list-workspaces.ts"

export interface PageQuery {
  readonly page: number
  readonly page_size: number
}

export interface SortedQuery extends PageQuery {
  /** Default `name`. */
  readonly sort?: RecordSort
}

/** The workspaces whose records a caller may see: all, or the ones named. */
export type VisibleWorkspaces = "all" | readonly string[]

/**
 * Whether a caller may use the secrets of a workspace by reference. Asked only about other workspaces than the fileset's
 * own: whoever has a right to a fileset uses the secrets that it names beside it.
 */
export type SecretRights = (workspace: string) => boolean

export interface FilesetQuery extends PageQuery {
  readonly sort: FilesetSort
  readonly filter?: Filter
}

export interface Workspaces {
  create(body: CreateWorkspace): Promise<Workspace>
  list(query: WorkspaceQuery, visible: VisibleWorkspaces): Promise<WorkspacePage>
  get(name: string): Promise<Workspace>
  update(name: string, body: UpdateWorkspace): Promise<Workspace>
  /** Refused while filesets, models, secrets or evaluation jobs are in it, unless `cascade`. Projects and configurations go along. */
  remove(name: string, options: { readonly cascade: boolean }): Promise<Workspace>
}

export interface Projects {
  create(workspace: string, body: CreateProject): Promise<Project>
  list(workspace: string, query: SortedQuery): Promise<ProjectPage>
  get(workspace: string, name: string): Promise<Project>
  update(workspace: string, name: string, body: UpdateProject): Promise<Project>
  remove(workspace: string, name: string): Promise<Project>
}

export interface RemoveSecretOptions {
  /** Default false. */
  readonly force?: boolean
  readonly visible?: VisibleWorkspaces
}

export interface Secrets {
  /** `owner`: the id of the job that it is made for, with which it goes. */
  create(workspace: string, body: CreateSecret, options?: { readonly owner?: string }): Promise<Secret>
  list(workspace: string, query: SortedQuery): Promise<SecretPage>
  get(workspace: string, name: string): Promise<Secret>
  update(workspace: string, name: string, body: UpdateSecret): Promise<Secret>
  /** @throws `in_use` while anything names it, unless `force`; what is not `visible` is counted alone. Default: all */
  remove(workspace: string, name: string, options?: RemoveSecretOptions): Promise<void>
  /** The id of the job that a secret was made for; undefined where there is none. */
  ownerOf(workspace: string, name: string): Promise<string | undefined>
  /** Removes the secrets that were made for a job. */
  removeOwned(owner: string): Promise<void>
  /** Wraps the data key of every secret with the newest key-encryption key, or of none. @throws `encryption_key_missing` */
  rotateEncryptionKeys(): Promise<RotateEncryptionKeysResult>
  /** The value behind a reference. For adapters alone: no route answers with it. @throws `secret_not_readable` */
  resolve(workspace: string, name: string): Promise<string>
  /** A text that is another one as soon as any of the secrets was set anew. @throws `secret_not_readable` for one that is missing */
  versions(secrets: readonly SecretAddress[]): Promise<string>
}

export interface Filesets {
  /**
   * Makes a fileset; the storage that it names is asked first whether it can be used.
   * @throws `already_exists`, `secret_not_readable`, `storage_not_allowed`, `storage_not_usable`, `host_not_allowed`,
   * `upstream_failed`; `unavailable` while the bytes of one that had the name are being deleted
   */
  create(workspace: string, body: CreateFileset, options?: Abortable): Promise<Fileset>
  /** `workspace` undefined lists over all that are visible. */
  list(workspace: string | undefined, query: FilesetQuery, visible: VisibleWorkspaces): Promise<FilesetPage>
  get(workspace: string, name: string): Promise<Fileset>
  update(workspace: string, name: string, body: UpdateFileset): Promise<Fileset>
  /** Removes the record; and the bytes, where they lie on the server's default storage. */
  remove(workspace: string, name: string): Promise<Fileset>
}

export interface ModelQuery extends PageQuery {
  readonly sort: ModelSort
}

/** Models and what is known about them. The analysis itself is for others to do: they begin it here and say how it ended. */
export interface Models {
  /**
   * Makes a model and begins its analysis.
   * @throws `already_exists`; `not_found` where there is no such fileset
   */
  create(workspace: string, body: CreateModel): Promise<AnalysisRun>
  list(workspace: string, query: ModelQuery): Promise<ModelPage>
  get(workspace: string, name: string): Promise<Model>
  update(workspace: string, name: string, body: UpdateModel): Promise<Model>
  remove(workspace: string, name: string): Promise<Model>
  /** Begins another analysis. Undefined while one is running, here or on another server. */
  startAnalysis(workspace: string, name: string): Promise<AnalysisRun | undefined>
}

export interface Abortable {
  readonly signal?: AbortSignal
}

/** For changes that take a while: filesets can be renamed meanwhile, and their names become those of others. */
export interface MeantFileset {
  /** Id of the fileset that is to be changed. Where another one has the name by now, the change is a `not_found`. */
  readonly filesetId?: string
}

export interface FileListQuery extends Abortable {
  readonly path?: string
  readonly limit?: number
  readonly page_token?: string
  /** Whether to tell how each file stands with the read cache. Default false: `cache_status` is null. */
  readonly include_cache_status?: boolean
}

/**
 * Files of filesets, by the address that routes have: workspace, fileset, path as text.
 * @throws whatever is asked, `secret_not_readable` where a secret of the fileset's storage is missing or may not be used
 */
export interface Files {
  list(
    workspace: string,
    fileset: string,
    query: FileListQuery,
  ): Promise<{ data: FileInfo[]; next_page_token?: string }>
  stat(workspace: string, fileset: string, path: string, options?: Abortable): Promise<FileInfo>
  read(workspace: string, fileset: string, path: string, options?: ReadOptions): Promise<ReadResult>
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: WriteOptions & MeantFileset,
  ): Promise<FileInfo>
  /** @throws `not_found` where there is no such file */
  remove(workspace: string, fileset: string, path: string, options?: Abortable & MeantFileset): Promise<FileInfo>
  /** That there is such a fileset and its storage takes writes. @throws `not_found`, `method_not_allowed` */
  checkWritable(workspace: string, fileset: string): Promise<void>
  /** The storage of a fileset, opened with its secrets. */
  open(workspace: string, fileset: string): Promise<Storage>
}

/** What filesets on remote storage have in the read cache. */
export interface Caches {
  /** How far the last warm-up is, or where it ended. */
  get(workspace: string, fileset: string): Promise<FilesetCache>
  /**
   * Has all files brought into the cache in the background, unless that is under way already.
   * @throws `method_not_allowed` for a fileset that is not cached
   */
  warm(workspace: string, fileset: string): Promise<FilesetCache>
  /** Ends the warm-up, and drops what is cached of the fileset, also for others that hold the same files. */
  drop(workspace: string, fileset: string, options?: Abortable): Promise<FilesetCache>
}

/** What uses secrets on behalf of a caller. */
export interface CallerRegistry {
  readonly filesets: Filesets
  readonly files: Files
  readonly caches: Caches
  readonly trees: Trees
}

/**
 * Workspaces, secrets, projects, models, filesets and their files, kept in one database. By themselves `filesets` and `files` use
 * no secret of another workspace than the fileset's own: `as` tells where the caller may.
 */
export interface Registry extends CallerRegistry {
  readonly workspaces: Workspaces
  readonly projects: Projects
  readonly secrets: Secrets
  readonly models: Models
  readonly guardrailConfigurations: Documents<GuardrailData>
  readonly jobs: Jobs
  readonly evaluationTargets: Documents<EvaluationTargetBody>
  readonly evaluationConfigurations: Documents<EvaluationConfigBody>
  /** The same for a caller with these rights: `registry.as(rights).files.read(…)`. Cheap, so once for each request. */
  as(rights: SecretRights): CallerRegistry
  /** Whether the database answers and the default storage takes a write. @throws what stands in the way */
  checkReady(): Promise<void>
  /** Whether what is on record is still there, whole. */
  readonly integrity: Integrity
  /** A sentence if the clock of this machine is more than 2 s off the clock of a shared database; else undefined. */
  checkClock(): Promise<string | undefined>
  close(): Promise<void>
}
