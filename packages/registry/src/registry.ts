import type {
  CreateFileset,
  CreateProject,
  CreateSecret,
  CreateWorkspace,
  FileInfo,
  Fileset,
  FilesetPage,
  FilesetSort,
  Filter,
  Project,
  ProjectPage,
  RotateEncryptionKeysResult,
  Secret,
  SecretPage,
  UpdateFileset,
  UpdateProject,
  UpdateSecret,
  UpdateWorkspace,
  Workspace,
  WorkspacePage,
} from "@assay/schemas"
import type { ReadOptions, ReadResult, Storage, WriteOptions } from "@assay/storage"

export interface PageQuery {
  readonly page: number
  readonly page_size: number
}

/** The workspaces whose records a caller may see: all, or the ones named. */
export type VisibleWorkspaces = "all" | readonly string[]

export interface FilesetQuery extends PageQuery {
  readonly sort: FilesetSort
  readonly filter?: Filter
}

export interface Workspaces {
  create(body: CreateWorkspace): Promise<Workspace>
  list(query: PageQuery, visible: VisibleWorkspaces): Promise<WorkspacePage>
  get(name: string): Promise<Workspace>
  update(name: string, body: UpdateWorkspace): Promise<Workspace>
  /** Refused while filesets or secrets are in it, unless `cascade`. */
  remove(name: string, options: { readonly cascade: boolean }): Promise<Workspace>
}

export interface Projects {
  create(workspace: string, body: CreateProject): Promise<Project>
  list(workspace: string, query: PageQuery): Promise<ProjectPage>
  get(workspace: string, name: string): Promise<Project>
  update(workspace: string, name: string, body: UpdateProject): Promise<Project>
  remove(workspace: string, name: string): Promise<Project>
}

export interface Secrets {
  create(workspace: string, body: CreateSecret): Promise<Secret>
  list(workspace: string, query: PageQuery): Promise<SecretPage>
  get(workspace: string, name: string): Promise<Secret>
  update(workspace: string, name: string, body: UpdateSecret): Promise<Secret>
  remove(workspace: string, name: string): Promise<void>
  /** Wraps the data key of every secret with the newest key-encryption key. */
  rotateEncryptionKeys(): Promise<RotateEncryptionKeysResult>
  /** The value behind a reference. For adapters alone: no route answers with it. @throws `secret_not_readable` */
  resolve(workspace: string, name: string): Promise<string>
}

export interface Filesets {
  create(workspace: string, body: CreateFileset): Promise<Fileset>
  /** `workspace` undefined lists over all that are visible. */
  list(workspace: string | undefined, query: FilesetQuery, visible: VisibleWorkspaces): Promise<FilesetPage>
  get(workspace: string, name: string): Promise<Fileset>
  update(workspace: string, name: string, body: UpdateFileset): Promise<Fileset>
  /** Removes the record; and the bytes, where they lie on the server's default storage. */
  remove(workspace: string, name: string): Promise<Fileset>
}

export interface FileListQuery {
  readonly path?: string
  readonly limit?: number
  readonly page_token?: string
}

/** Files of filesets, by the address that routes have: workspace, fileset, path as text. */
export interface Files {
  list(
    workspace: string,
    fileset: string,
    query: FileListQuery,
  ): Promise<{ data: FileInfo[]; next_page_token?: string }>
  stat(workspace: string, fileset: string, path: string): Promise<FileInfo>
  read(workspace: string, fileset: string, path: string, options?: ReadOptions): Promise<ReadResult>
  write(
    workspace: string,
    fileset: string,
    path: string,
    bytes: AsyncIterable<Uint8Array>,
    options?: WriteOptions,
  ): Promise<FileInfo>
  /** @throws `not_found` where there is no such file */
  remove(workspace: string, fileset: string, path: string): Promise<FileInfo>
  /** That there is such a fileset and its storage takes writes. @throws `not_found`, `method_not_allowed` */
  checkWritable(workspace: string, fileset: string): Promise<void>
  /** The storage of a fileset, opened with its secrets. */
  open(workspace: string, fileset: string): Promise<Storage>
}

/** Workspaces, secrets, projects, filesets and their files, kept in one database. */
export interface Registry {
  readonly workspaces: Workspaces
  readonly projects: Projects
  readonly secrets: Secrets
  readonly filesets: Filesets
  readonly files: Files
  /** Whether the database answers and the default storage takes a write. @throws what stands in the way */
  checkReady(): Promise<void>
  close(): Promise<void>
}
