import { expect, it } from "vitest"
import type { Fileset } from "../filesets/fileset.ts"
import { changesOfDataset, datasetOf, filesetOfDataset, parseDatasetFilter } from "./dataset-of-fileset.ts"

const HERE = "http://127.0.0.1:1"
const isHere = (endpoint: string) => endpoint === HERE
const files_url = "hf://datasets/team/rows"

const filesetWith = (fields: Partial<Fileset>) =>
  ({
    id: "fileset-1",
    name: "rows",
    workspace: "team",
    description: "",
    project: "",
    storage: { type: "local", path: "/data" },
    custom_fields: {},
    created_at: "2026-11-22T00:00:00Z",
    updated_at: "2026-11-22T00:00:00Z",
    ...fields,
  }) as Fileset

it("A dataset keeps the fields that a fileset does not have, and returns them", () => {
  const body = { files_url, namespace: "team", format: "json", limit: 5, custom_fields: { owner: "a" } }
  const fileset = filesetOfDataset(body, isHere)
  expect(fileset).toMatchObject({ name: "rows", purpose: "dataset", custom_fields: { owner: "a" } })
  expect("storage" in fileset).toBe(false)
  const { custom_fields = {} } = fileset
  expect(datasetOf(filesetWith({ custom_fields }))).toMatchObject({
    files_url,
    hf_endpoint: null,
    format: "json",
    split: null,
    limit: 5,
    custom_fields: { owner: "a" },
  })
})

it("A dataset with the endpoint of another hub has its files there", () => {
  const body = { files_url: "hf://datasets/org/remote", namespace: "team", name: "rows" }
  const { storage } = filesetOfDataset({ ...body, hf_endpoint: "https://hub.example" }, isHere)
  expect(storage).toEqual({
    type: "hub",
    repo_id: "org/remote",
    repo_type: "dataset",
    endpoint: "https://hub.example",
  })
  expect(() => filesetOfDataset({ ...body, hf_endpoint: HERE }, isHere)).toThrow("Must name the dataset itself")
  const pinned = "hf://datasets/org/remote@v1.0"
  const at = filesetOfDataset({ ...body, files_url: pinned, hf_endpoint: "https://hub.example" }, isHere)
  expect(at.storage).toMatchObject({ repo_id: "org/remote", revision: "v1.0" })
  const opened = { type: "hub" as const, repo_id: "org/remote", revision: "0".repeat(40) }
  const fileset = filesetWith({ storage: { ...opened, original_revision: "v1.0" } })
  expect(datasetOf(fileset).files_url).toBe(pinned)
  expect(changesOfDataset({ files_url: pinned }, fileset)).toEqual({})
  expect(() => changesOfDataset({ files_url: "hf://datasets/org/remote" }, fileset)).toThrow("can't be moved")
  expect(filesetOfDataset({ files_url: `${files_url}@main`, namespace: "team" }, isHere).name).toBe("rows")
  const own = { files_url: `${files_url}@v1`, namespace: "team" }
  expect(() => filesetOfDataset(own, isHere)).toThrow("Must leave out @v1")
})

it("An update keeps fields that it does not name, empties those of null, and can't move files", () => {
  const fileset = filesetWith({ custom_fields: { owner: "a", dataset: { split: "train" } } })
  expect(changesOfDataset({ description: null }, fileset)).toEqual({ description: "" })
  expect(changesOfDataset({ format: "squad" }, fileset)).toEqual({
    custom_fields: { owner: "a", dataset: { split: "train", format: "squad" } },
  })
  expect(changesOfDataset({ files_url, custom_fields: null }, fileset)).toEqual({
    custom_fields: { dataset: { split: "train" } },
  })
  expect(() => changesOfDataset({ files_url: "hf://datasets/team/other" }, fileset)).toThrow("can't be moved")
})

it("A filter for namespaces finds the datasets of workspaces, and is returned as it was given", () => {
  const { filter, given } = parseDatasetFilter([["filter[namespace]", "team"]])
  expect(given).toEqual({ namespace: "team" })
  expect(filter).toEqual(parseDatasetFilter([["filter[workspace]", "team"]]).filter)
  expect(JSON.stringify(filter)).toContain("dataset")
})
