import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3"

/** Address and keys of an object store. */
export interface S3Account {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Without a logger, the client prints provoked errors to the console. */
const SILENT = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Creates an SDK client with the settings for other servers: path style, no newer checksums. */
export function connectS3({ endpoint, region, ...credentials }: S3Account, changes: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    maxAttempts: 1,
    logger: SILENT,
    ...changes,
  })
}
