import { clientSignal } from "@assay/http/server"
import { secretRightsOf, visibleWorkspaces } from "@assay/registry/tokens"
import { CreateDataset, Dataset, invalidRequest, isAssayError, parseFilesetFilter, UpdateDataset } from "@assay/schemas"
import type { FastifyRequest } from "fastify"
import { access, callerOf } from "../auth/access.ts"
import { checkNamespace } from "../evaluation/caller-rights.ts"
import type { App } from "../http/app.ts"
import { filterParameters, NamedParameters, ok } from "../http/route-schemas.ts"
import type { Services } from "../services.ts"
import { changesOf, datasetOf, filesetBodyOf, ListDatasetsQuery, repositoryOf } from "./dataset-entity.ts"
import { DeletedEntity, deletedEntity, entityListOf } from "./entity-list.ts"

const tags = ["platform v1"]
const edit = access({ scope: "workspace", role: "editor" })

/** Defines the routes for filesets with the purpose `dataset` as datasets, under `/v1`. */
export function datasetRoutes(app: App, { registry }: Services): void {
  app.post(
    "/datasets",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "Register a dataset: the fileset with its name, which is created if it does not exist",
        body: CreateDataset,
        response: ok(Dataset),
      },
    },
    async (request, reply) => {
      const { body } = request
      const { namespace = "default" } = body
      const caller = callerOf(request)
      await checkNamespace(registry, namespace, caller)
      const fileset = filesetBodyOf(body, (endpoint) => isThisServer(request, endpoint))
      const { filesets } = registry.as(secretRightsOf(caller))
      try {
        return datasetOf(await filesets.create(namespace, fileset, { signal: clientSignal(reply.raw) }))
      } catch (error) {
        // The platform's own guide sends the files first and registers the dataset later.
        if (!isAssayError(error, "already_exists") || fileset.storage !== undefined) throw error
        const found = await registry.filesets.get(namespace, fileset.name)
        const changes = changesOf(body, found.custom_fields)
        return datasetOf(await registry.filesets.update(namespace, fileset.name, { ...changes, purpose: "dataset" }))
      }
    },
  )
  app.get(
    "/datasets",
    {
      config: access({ scope: "any" }),
      schema: {
        tags,
        summary: "List datasets of all namespaces that the caller may see",
        querystring: ListDatasetsQuery,
        response: ok(entityListOf(Dataset, "DatasetList")),
      },
    },
    async (request) => {
      const { page, page_size, sort } = request.query
      const given = filterParameters(request.query)
      const parameters = given.map(([key, value]) => [key.replace(/^filter\[namespace\]/, "filter[workspace]"), value])
      const filter = parseFilesetFilter([...parameters, ["filter[purpose]", "dataset"]] as [string, string][])
      const query = { page, page_size, sort, ...(filter === undefined ? {} : { filter }) }
      const found = await registry.filesets.list(undefined, query, visibleWorkspaces(callerOf(request)))
      const echoed = Object.fromEntries(given.map(([key, value]) => [key.replace(/^filter\[?|\]$/g, ""), value]))
      return { ...found, object: "list" as const, data: found.data.map(datasetOf), sort, filter: echoed }
    },
  )
  const item = "/datasets/:ws/:name"
  app.get(
    item,
    {
      config: access({ scope: "workspace", role: "viewer" }),
      schema: { tags, summary: "Get a dataset", params: NamedParameters, response: ok(Dataset) },
    },
    async ({ params }) => datasetOf(await registry.filesets.get(params.ws, params.name)),
  )
  app.patch(
    item,
    {
      config: edit,
      schema: {
        tags,
        summary: "Update a dataset",
        params: NamedParameters,
        body: UpdateDataset,
        response: ok(Dataset),
      },
    },
    async ({ params: { ws, name }, body }) => {
      const found = await registry.filesets.get(ws, name)
      if (
        body.files_url !== undefined &&
        datasetOf(found).files_url !== `hf://datasets/${repositoryOf(body.files_url)}`
      )
        throw invalidRequest(
          ["body", "files_url"],
          "The files of a dataset can't be moved",
          "files_url",
          body.files_url,
        )
      return datasetOf(await registry.filesets.update(ws, name, changesOf(body, found.custom_fields)))
    },
  )
  app.delete(
    item,
    {
      config: edit,
      schema: { tags, summary: "Delete a dataset and its files", params: NamedParameters, response: ok(DeletedEntity) },
    },
    async ({ params }) => deletedEntity((await registry.filesets.remove(params.ws, params.name)).id),
  )
}

/** Whether `endpoint` is the origin at which the sender reaches this server. */
function isThisServer({ protocol, host }: FastifyRequest, endpoint: string): boolean {
  return URL.canParse(endpoint) && new URL(endpoint).origin === new URL(`${protocol}://${host}`).origin
}
