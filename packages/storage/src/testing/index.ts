export type { ContractSubject, StorageContract } from "./contract-subject.ts"
export { describeStorageContract } from "./describe-storage-contract.ts"
