import { Value } from "@sinclair/typebox/value"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import {
  CatalogStorageConfiguration,
  HubStorageConfiguration,
  LocalStorageConfiguration,
  ObjstoreStorageConfiguration,
  STORAGE_TYPES,
  StorageConfiguration,
} from "./storage-configuration.ts"

describe("a storage configuration", () => {
  it(
    "of a folder needs a path and has its defaults",
    verifies("brief.storage.local.path", "brief.storage.read-chunk-size", "brief.storage.local.write-buffer-size"),
    () => {
      expect(LocalStorageConfiguration.required).toEqual(["type", "path"])
      expect(Value.Default(LocalStorageConfiguration, { path: "/data" })).toEqual({
        type: "local",
        path: "/data",
        read_chunk_size: 1_048_576,
        write_buffer_size: 16_777_216,
      })
    },
  )

  it(
    "of a catalog needs the asset and a key and has its defaults",
    verifies(
      "brief.storage.catalog.required",
      "brief.storage.catalog.target-type",
      "brief.storage.catalog.service",
      "wire.catalog-host",
    ),
    () => {
      expect(CatalogStorageConfiguration.required).toEqual(["type", "org", "team", "target", "api_key_secret"])
      expect(CatalogStorageConfiguration.properties.target_type).toMatchObject({ enum: ["resource", "model"] })
      expect(Value.Default(CatalogStorageConfiguration, {})).toEqual({
        target_type: "resource",
        host: "https://api.ngc.nvidia.com",
        read_chunk_size: 1_048_576,
      })
    },
  )

  it(
    "of a hub needs a repository and has its defaults",
    verifies(
      "brief.storage.hub.required",
      "brief.storage.hub.repo-type",
      "brief.storage.hub.revision",
      "brief.storage.hub.endpoint",
    ),
    () => {
      expect(HubStorageConfiguration.required).toEqual(["type", "repo_id"])
      expect(HubStorageConfiguration.properties.repo_type).toMatchObject({ enum: ["model", "dataset", "space"] })
      expect(Value.Default(HubStorageConfiguration, {})).toEqual({
        repo_type: "model",
        revision: "main",
        endpoint: "https://huggingface.co",
        read_chunk_size: 1_048_576,
      })
    },
  )

  it(
    "of an object store needs a bucket and has its defaults",
    verifies(
      "brief.storage.objstore.required",
      "brief.storage.objstore.prefix",
      "brief.storage.objstore.use-sdk-auth",
      "brief.storage.objstore.signature",
    ),
    () => {
      expect(ObjstoreStorageConfiguration.required).toEqual(["type", "bucket"])
      expect(ObjstoreStorageConfiguration.properties.signature_version).toMatchObject({ enum: ["v4", "v2"] })
      expect(Value.Default(ObjstoreStorageConfiguration, {})).toEqual({
        prefix: "",
        use_sdk_auth: false,
        signature_version: "v4",
        read_chunk_size: 1_048_576,
      })
    },
  )

  it("is one of four, distinguished by its type", verifies("brief.storage.discriminated"), () => {
    expect(StorageConfiguration).toMatchObject({ discriminator: { propertyName: "type" }, required: ["type"] })
    const branches: unknown = StorageConfiguration["oneOf"]
    expect(branches).toEqual(
      STORAGE_TYPES.map((type) =>
        expect.objectContaining({
          properties: expect.objectContaining({ type: expect.objectContaining({ const: type }) }),
        }),
      ),
    )
  })
})
