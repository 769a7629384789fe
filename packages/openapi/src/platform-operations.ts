import type { Operations } from "./operation.ts"

const HUB = "/apis/files/v2/hf"
const REPOSITORY = `${HUB}/api/{type}/{ws}/{name}`

const DIGEST = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"
const OBJECT = "a URL from the response of an LFS batch"

const ws = "default"
const made = { name: "weights", organization: ws, type: "model" }
const moved = { ...made, name: "weights-2" }
const repository = { type: "models", ws, name: made.name }
const revision = { ...repository, rev: "main" }
const file = { ws, name: made.name, rev: "main", path: "docs/README.md" }
const lfs = { ws, repo: `${made.name}.git` }
const batch = { operation: "upload", transfers: ["basic"], objects: [{ oid: DIGEST, size: 5 }] }
const object = { fileset: "fileset-3QJmnh8Y1kGqvS4cQKFJ2b", sha256: DIGEST, size: 5, key: "key" }
const commit = [
  { key: "header", value: { summary: "Add a page" } },
  { key: "file", value: { path: file.path, content: "IyBXZWlnaHRzCg==", encoding: "base64" } },
]

const namespace = { ws: "team-docs" }
const dataset = { ws, name: "reviews" }
const form = { "content-type": "application/x-www-form-urlencoded" }

const reading = ["", "/datasets", "/spaces"].flatMap((kind) =>
  (["resolve", "raw"] as const).map((how) => [
    `GET ${HUB}${kind}/{ws}/{name}/${how}/{rev}/{path}`,
    { id: `${how}${wordOf(kind)}File`, parameters: file },
  ]),
)
const batches = ["", "/datasets", "/spaces"].map((kind) => [
  `POST ${HUB}${kind}/{ws}/{repo}/info/lfs/objects/batch`,
  { id: `send${wordOf(kind)}Objects`, writes: false as const, parameters: lfs, body: batch },
])

function wordOf(kind: string): string {
  return kind === "" ? "Model" : kind.charAt(1).toUpperCase() + kind.slice(2, -1)
}

const lists = ["models", "datasets", "spaces"].map((kind) => [
  `GET ${HUB}/api/${kind}`,
  { id: `listHub${kind.charAt(0).toUpperCase()}${kind.slice(1)}`, parameters: { author: ws, limit: 10 } },
])
const gitRefusals = ["", "/datasets", "/spaces"].map((kind) => [
  `GET ${HUB}${kind}/{ws}/{repo}/info/refs`,
  { id: `explain${wordOf(kind)}Clone`, parameters: { ...lfs, service: "git-upload-pack" } },
])

const bucket = { bucket: `${ws}.s3-example` }
const inBucket = { ...bucket, path: "notes.txt" }

/** Operations of the S3 endpoint. Its parameters choose among more than one operation of a method. */
const S3_OPERATIONS: Operations = {
  "GET /s3": { id: "s3ListBuckets" },
  "PUT /s3/{bucket}": { id: "s3CreateBucket", parameters: bucket },
  "PUT /s3/{bucket}/{path}": { id: "s3PutObject", parameters: inBucket, body: "hello" },
  "GET /s3/{bucket}": { id: "s3ListObjects", parameters: { ...bucket, "list-type": 2 } },
  "GET /s3/{bucket}/{path}": { id: "s3GetObject", parameters: inBucket },
  "POST /s3/{bucket}/{path}": { id: "s3Multipart", parameters: { ...inBucket, uploads: "" } },
  "POST /s3/{bucket}": {
    id: "s3DeleteObjects",
    parameters: { ...bucket, delete: "" },
    body: "<Delete><Object><Key>other.txt</Key></Object></Delete>",
  },
  "DELETE /s3/{bucket}/{path}": { id: "s3DeleteObject", parameters: inBucket },
  "DELETE /s3/{bucket}": { id: "s3DeleteBucket", parameters: bucket },
}

/** Operations of the hub endpoint, of the S3 endpoint and of the platform's first version. */
export const PLATFORM_OPERATIONS: Operations = {
  ...S3_OPERATIONS,
  [`GET ${HUB}/api/whoami-v2`]: { id: "getHubAccount" },
  [`POST ${HUB}/api/validate-yaml`]: {
    id: "validateHubMetadata",
    writes: false,
    body: { content: "---\nlicense: mit\n---\n", repoType: "model" },
  },
  [`POST ${HUB}/api/repos/create`]: { id: "createRepository", body: made },
  [`POST ${REPOSITORY}/preupload/{rev}`]: {
    id: "preuploadFiles",
    writes: false,
    parameters: revision,
    body: { files: [{ path: file.path, size: 10, sample: "IyBXZWlnaHRzCg==" }] },
  },
  [`GET ${REPOSITORY}/xet-write-token/{rev}`]: { id: "getXetWriteToken", parameters: revision },
  [`GET ${REPOSITORY}/xet-read-token/{rev}`]: { id: "getXetReadToken", parameters: revision },
  [`POST ${REPOSITORY}/commit/{rev}`]: {
    id: "commitFiles",
    parameters: revision,
    headers: { "content-type": "application/x-ndjson" },
    body: `${commit.map((line) => JSON.stringify(line)).join("\n")}\n`,
  },
  [`GET ${REPOSITORY}`]: { id: "getRepository", parameters: repository },
  [`GET ${REPOSITORY}/revision/{rev}`]: { id: "getRepositoryAt", parameters: revision },
  ...Object.fromEntries(lists),
  [`GET ${REPOSITORY}/auth-check`]: { id: "checkMayRead", parameters: repository },
  [`GET ${REPOSITORY}/auth-check/write`]: { id: "checkMayWrite", parameters: repository },
  [`PUT ${REPOSITORY}/settings`]: {
    id: "checkSettings",
    writes: false,
    parameters: repository,
    body: { private: false, gated: false },
  },
  [`GET ${REPOSITORY}/refs`]: { id: "listBranches", parameters: repository },
  [`GET ${REPOSITORY}/commits/{rev}`]: { id: "listCommits", parameters: revision },
  [`POST ${REPOSITORY}/tag/{rev}`]: { id: "createTag", parameters: revision, body: { tag: "v1", message: "First" } },
  [`DELETE ${REPOSITORY}/tag/{rev}`]: { id: "deleteTag", parameters: { ...revision, rev: "v1" } },
  [`POST ${REPOSITORY}/super-squash/{rev}`]: {
    id: "squashCommits",
    parameters: revision,
    body: { message: "Start again" },
  },
  [`GET ${REPOSITORY}/tree/{rev}`]: { id: "listTree", parameters: { ...revision, recursive: "true" } },
  [`GET ${REPOSITORY}/tree/{rev}/{path}`]: { id: "listTreeBelow", parameters: { ...revision, path: "docs" } },
  [`POST ${REPOSITORY}/paths-info/{rev}`]: {
    id: "describePaths",
    writes: false,
    parameters: revision,
    body: { paths: [file.path], expand: false },
  },
  ...Object.fromEntries(reading),
  ...Object.fromEntries(batches),
  ...Object.fromEntries(gitRefusals),
  [`PUT ${HUB}/{ws}/{repo}/info/lfs/objects/{oid}`]: {
    id: "keepObject",
    parameters: { ...lfs, oid: DIGEST },
    body: "hello",
  },
  [`GET ${HUB}/{ws}/{repo}/info/lfs/objects/{oid}`]: { id: "readObject", parameters: { ...lfs, oid: DIGEST } },
  [`POST ${HUB}/{ws}/{repo}/info/lfs/objects/verify`]: {
    id: "verifyObject",
    writes: false,
    parameters: lfs,
    body: { oid: DIGEST, size: 5 },
  },
  [`PUT ${HUB}/lfs/{fileset}/{sha256}/{size}/{key}`]: {
    id: "sendObject",
    parameters: object,
    body: "hello",
    needs: OBJECT,
  },
  [`POST ${HUB}/lfs/{fileset}/{sha256}/{size}/{key}`]: { id: "joinObject", parameters: object, needs: OBJECT },
  [`PUT ${HUB}/lfs/{fileset}/{sha256}/{size}/{key}/{part}`]: {
    id: "sendObjectPart",
    writes: false,
    parameters: { ...object, part: 1 },
    body: "hello",
    needs: OBJECT,
  },
  [`POST ${HUB}/api/repos/move`]: {
    id: "moveRepository",
    body: { fromRepo: `${ws}/${made.name}`, toRepo: `${ws}/${moved.name}`, type: made.type },
  },
  [`DELETE ${HUB}/api/repos/delete`]: { id: "deleteRepository", body: moved },

  "POST /v1/namespaces": { id: "createNamespace", body: { id: namespace.ws, description: "The docs team" } },
  "GET /v1/namespaces": { id: "listNamespaces" },
  "GET /v1/namespaces/{ws}": { id: "getNamespace", parameters: namespace },
  "PATCH /v1/namespaces/{ws}": { id: "updateNamespace", parameters: namespace, body: { description: "Docs" } },
  "DELETE /v1/namespaces/{ws}": { id: "deleteNamespace", parameters: namespace },
  "POST /v1/datastore/namespaces": {
    id: "createDataStoreNamespace",
    headers: form,
    body: `namespace=${namespace.ws}`,
  },
  "GET /v1/datastore/namespaces": { id: "listDataStoreNamespaces" },
  "GET /v1/datastore/namespaces/{ws}": { id: "getDataStoreNamespace", parameters: namespace },
  "DELETE /v1/datastore/namespaces/{ws}": { id: "deleteDataStoreNamespace", parameters: namespace },
  "POST /v1/datasets": {
    id: "createDataset",
    body: { name: dataset.name, namespace: ws, files_url: `hf://datasets/${ws}/${dataset.name}` },
  },
  "GET /v1/datasets": { id: "listDatasets", parameters: { page_size: 10 } },
  "GET /v1/datasets/{ws}/{name}": { id: "getDataset", parameters: dataset },
  "PATCH /v1/datasets/{ws}/{name}": { id: "updateDataset", parameters: dataset, body: { description: "Reviews" } },
  "DELETE /v1/datasets/{ws}/{name}": { id: "deleteDataset", parameters: dataset },
}
