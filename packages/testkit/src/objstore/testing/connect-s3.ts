import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3"

/** Where an object store is, and with what it is asked. */
export interface S3Account {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Without one, the client writes to the console what a test provokes. */
const SILENT = { trace: () => {}, debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** The client of the SDK as it must be set for servers that are not the vendor's: path style, no newer checksums. */
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
