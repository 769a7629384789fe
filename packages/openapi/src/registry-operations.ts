import { EXAMPLE_UPLOAD, type Operations } from "./operation.ts"
import { VIEWER_OPERATIONS } from "./viewer-operations.ts"

const ENTITIES = "/apis/entities/v2/workspaces"
const ITEM = `${ENTITIES}/{ws}`
const PROJECTS = `${ITEM}/projects`
const SECRETS = "/apis/secrets/v2/workspaces/{ws}/secrets"
const FILESETS = "/apis/files/v2/workspaces/{ws}/filesets"
const TRASH = "/apis/files/v2/workspaces/{ws}/trash"
const FILESET = `${FILESETS}/{name}`
const MODELS = "/apis/models/v2/workspaces/{ws}/models"

const ws = "default"
const team = { ws: "team-a" }
const project = { ws, name: "vision" }
const secret = { ws, name: "hub-token" }
const fileset = { ws, name: "reviews" }
const trashed = { ws, id: "fileset-3QJmnh8Y1kGqvS4cQKFJ2b" }
const rows = { ...fileset, path: "train.jsonl" }
const upload = { ...fileset, id: EXAMPLE_UPLOAD }
const PROVIDER = "a server with ASSAY_AUTH=oidc"
const AUTH = "a server with ASSAY_AUTH=tokens"
const TRASHED = "a deleted fileset"
const REMOTE = "a fileset on remote storage"
const tus = { "tus-resumable": "1.0.0" }
const model = { ws, name: "tiny" }

/** Operations on the server itself, workspaces, projects, secrets, filesets, files, rows, uploads and models. */
export const REGISTRY_OPERATIONS: Operations = {
  "GET /": { id: "getHome" },
  "GET /metrics": { id: "getMetrics" },
  "GET /health": { id: "getHealth" },
  "GET /health/live": { id: "getLiveness" },
  "GET /health/ready": { id: "getReadiness" },
  "GET /status": { id: "getStatus" },
  "GET /cluster-info": { id: "getClusterInfo" },
  "GET /session": { id: "getSession" },
  "POST /session": { id: "signIn", body: { token: "assay_the-token-that-was-printed-once" } },
  "DELETE /session": { id: "signOut", writes: false },
  "GET /session/oidc": { id: "beginSignIn", parameters: { return: "/filesets" }, needs: PROVIDER },
  "GET /session/oidc/callback": { id: "finishSignIn", writes: true, needs: PROVIDER },
  "GET /session/oidc/end": { id: "endProviderSession", needs: PROVIDER },

  "POST /mcp": {
    id: "callTool",
    writes: false,
    headers: { accept: "application/json, text/event-stream" },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_filesets", arguments: {} } },
  },

  "GET /v1/audit": { id: "listAuditRecords", parameters: { limit: 20, "filter[workspace]": ws } },
  "GET /v1/audit/export": {
    id: "exportAuditRecords",
    parameters: { "filter[created_at][gte]": "2026-11-20", "filter[workspace]": ws },
  },

  "GET /v1/changes": { id: "followChanges", parameters: { once: true } },

  "GET /v1/tokens": { id: "listTokens", needs: AUTH },
  "POST /v1/tokens": {
    id: "createToken",
    body: { name: "ci", grants: [{ workspace: ws, role: "editor" }], expires_in: 7_776_000 },
    needs: AUTH,
  },
  "DELETE /v1/tokens/{id}": { id: "revokeToken", parameters: { id: "token-3QJmnh8Y1kGqvS4cQKFJ2b" }, needs: AUTH },

  [`POST ${ENTITIES}`]: { id: "createWorkspace", body: { name: team.ws, description: "Vision" } },
  [`GET ${ENTITIES}`]: { id: "listWorkspaces", parameters: { page_size: 10, sort: "name" } },
  [`GET ${ITEM}`]: { id: "getWorkspace", parameters: team },
  [`PUT ${ITEM}`]: { id: "updateWorkspace", parameters: team, body: { description: "Vision and speech" } },

  "GET /apis/entities/v2/spending": { id: "listSpending", parameters: { months: 3 } },
  [`GET ${ITEM}/budget`]: { id: "getWorkspaceBudget", parameters: { ws } },
  [`PUT ${ITEM}/budget`]: {
    id: "setWorkspaceBudget",
    parameters: team,
    body: { max_requests: 100_000, max_tokens: 50_000_000 },
  },
  [`DELETE ${ITEM}/budget`]: { id: "deleteWorkspaceBudget", parameters: team },

  [`POST ${PROJECTS}`]: { id: "createProject", parameters: { ws }, body: { name: project.name } },
  [`GET ${PROJECTS}`]: { id: "listProjects", parameters: { ws } },
  [`GET ${PROJECTS}/{name}`]: { id: "getProject", parameters: project },
  [`PUT ${PROJECTS}/{name}`]: { id: "updateProject", parameters: project, body: { description: "Images" } },
  [`DELETE ${PROJECTS}/{name}`]: { id: "deleteProject", parameters: project },

  [`POST ${SECRETS}`]: { id: "createSecret", parameters: { ws }, body: { name: secret.name, value: "hf_example" } },
  [`GET ${SECRETS}`]: { id: "listSecrets", parameters: { ws } },
  [`GET ${SECRETS}/{name}`]: { id: "getSecret", parameters: secret },
  [`PATCH ${SECRETS}/{name}`]: { id: "updateSecret", parameters: secret, body: { value: "hf_newer" } },
  [`DELETE ${SECRETS}/{name}`]: { id: "deleteSecret", parameters: secret },
  "POST /apis/secrets/v2/rotate-encryption-keys": { id: "rotateEncryptionKeys" },

  [`POST ${FILESETS}`]: {
    id: "createFileset",
    parameters: { ws },
    body: { name: fileset.name, purpose: "dataset", description: "Reviews of films" },
  },
  [`GET ${FILESETS}`]: { id: "listFilesets", parameters: { ws, filter: '{"name":{"$like":"rev"}}' } },
  [`GET ${FILESET}`]: { id: "getFileset", parameters: fileset },
  [`PATCH ${FILESET}`]: { id: "updateFileset", parameters: fileset, body: { custom_fields: { language: "en" } } },
  [`PUT ${FILESET}/-/{path}`]: {
    id: "writeFile",
    parameters: rows,
    headers: { "content-type": "application/octet-stream" },
    body: '{"text":"Good","stars":5}\n{"text":"Bad","stars":1}\n',
  },
  [`GET ${FILESET}/files`]: { id: "listFiles", parameters: { ...fileset, limit: 100 } },
  [`GET ${FILESET}/-/{path}`]: { id: "readFile", parameters: rows },
  [`GET ${FILESET}/rows`]: { id: "readRows", parameters: { ...rows, offset: 0, limit: 10 } },
  [`GET ${FILESET}/rows/search`]: {
    id: "searchFileRows",
    parameters: { ...rows, "filter[stars][$gte]": 4, limit: 10 },
  },
  [`GET ${FILESET}/rows/export`]: { id: "exportRows", parameters: { ...rows, format: "csv", columns: "text,stars" } },
  [`POST ${FILESET}/try-schema`]: {
    id: "trySchema",
    writes: false,
    parameters: fileset,
    body: { schema: { type: "object", properties: { stars: { type: "integer", maximum: 4 } } } },
  },
  [`POST ${FILESET}/validate`]: { id: "validateRows", writes: false, parameters: rows },
  [`POST ${FILESET}/infer-schema`]: { id: "inferSchema", writes: false, parameters: { ...rows, rows: 100 } },
  [`GET ${FILESET}/profile`]: { id: "profileRows", parameters: rows },
  ...VIEWER_OPERATIONS,

  [`OPTIONS ${FILESET}/uploads`]: { id: "describeUploads", parameters: fileset },
  [`POST ${FILESET}/uploads`]: {
    id: "createUpload",
    parameters: fileset,
    headers: { ...tus, "upload-length": "12", "upload-metadata": "path bGFyZ2UuYmlu" },
  },
  [`PATCH ${FILESET}/uploads/{id}`]: {
    id: "continueUpload",
    writes: false,
    parameters: upload,
    headers: { ...tus, "upload-offset": "0", "content-type": "application/offset+octet-stream" },
    body: "hello ",
  },
  [`POST ${FILESET}/uploads/{id}`]: {
    id: "continueUploadByPost",
    writes: false,
    parameters: upload,
    headers: {
      ...tus,
      "x-http-method-override": "PATCH",
      "upload-offset": "6",
      "content-type": "application/offset+octet-stream",
    },
    body: "wor",
  },
  [`PUT ${FILESET}/uploads/{id}/digest`]: {
    id: "announceUploadDigest",
    writes: false,
    parameters: upload,
    headers: { ...tus, "x-checksum-sha256": "b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9" },
  },
  [`DELETE ${FILESET}/uploads/{id}`]: { id: "deleteUpload", parameters: upload, headers: tus },
  [`GET ${FILESET}/history`]: { id: "listHistory", parameters: { ...fileset, limit: 20 } },
  [`GET ${FILESET}/diff`]: { id: "compareRevisions", parameters: { ...fileset, from: "main", limit: 100 } },
  [`GET ${FILESET}/diff/rows`]: {
    id: "compareRowsOfRevisions",
    parameters: { ...fileset, from: "main", path: "train.jsonl", key: "text", limit: 100 },
  },
  [`POST ${FILESET}/restore`]: {
    id: "restoreRevision",
    parameters: fileset,
    body: { revision: "main", path: "train.jsonl", dry_run: true },
  },
  [`DELETE ${FILESET}/history`]: { id: "purgeHistory", parameters: fileset },
  [`GET ${FILESET}/cache`]: { id: "getCacheStatus", parameters: fileset },
  [`POST ${FILESET}/cache`]: { id: "fillCache", parameters: fileset, needs: REMOTE },
  [`DELETE ${FILESET}/cache`]: { id: "emptyCache", parameters: fileset, needs: REMOTE },

  [`POST ${MODELS}`]: { id: "createModel", parameters: { ws }, body: { name: model.name, fileset: `${ws}/reviews` } },
  [`GET ${MODELS}`]: { id: "listModels", parameters: { ws, sort: "-created_at" } },
  [`GET ${MODELS}/{name}`]: { id: "getModel", parameters: model },
  [`PATCH ${MODELS}/{name}`]: { id: "updateModel", parameters: model, body: { description: "A small one" } },
  [`POST ${MODELS}/{name}/analyze`]: { id: "analyzeModel", parameters: { ...model, wait: 5 } },
  [`POST ${MODELS}/{name}/render`]: {
    id: "renderChat",
    writes: false,
    parameters: model,
    body: { messages: [{ role: "user", content: "What is the capital of France?" }] },
    needs: "a checkpoint with a chat template",
  },
  [`DELETE ${MODELS}/{name}`]: { id: "deleteModel", parameters: model },

  [`DELETE ${FILESET}/-/{path}`]: { id: "deleteFile", parameters: rows },
  [`DELETE ${FILESET}`]: { id: "deleteFileset", parameters: fileset },
  [`GET ${TRASH}`]: { id: "listTrash", parameters: { ws, name: fileset.name } },
  [`POST ${TRASH}/{id}/restore`]: {
    id: "restoreFileset",
    parameters: trashed,
    body: { name: "reviews-restored" },
    needs: TRASHED,
  },
  [`DELETE ${TRASH}/{id}`]: { id: "deleteForGood", parameters: trashed, needs: TRASHED },
  [`DELETE ${TRASH}`]: { id: "emptyTrash", parameters: { ws } },
  [`DELETE ${ITEM}`]: { id: "deleteWorkspace", parameters: { ...team, cascade: true } },
}
