import type { components, operations } from './generated/openapi.ts';

export type OperationId = keyof operations;

/** Every shape of the API by its name in the description. */
export type Schemas = components['schemas'];

type JsonIn<T> = T extends { content: { 'application/json': infer Body } } ? Body : never;
type Success = 200 | 201 | 202;

/** The whole answer of an operation. */
export type AnswerOf<Id extends OperationId> = {
  [Status in keyof operations[Id]['responses']]: Status extends Success
    ? JsonIn<operations[Id]['responses'][Status]>
    : never;
}[keyof operations[Id]['responses']];

type DataIn<T> = T extends { data: infer Data } ? Data : never;

/** The answer of an operation without the envelope. */
export type DataOf<Id extends OperationId> = DataIn<AnswerOf<Id>>;

/** The parameters of an operation that stand in its address. */
export type QueryOf<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Query }
  ? NonNullable<Query>
  : never;

type BodyIn<T> = T extends { requestBody?: { content: infer Contents } } ? Contents : never;

/** The JSON body of an operation. */
export type BodyOf<Id extends OperationId> =
  BodyIn<operations[Id]> extends { 'application/json': infer Body } ? Body : never;

/** The fields beside the files of an upload. */
export type FormOf<Id extends OperationId> =
  BodyIn<operations[Id]> extends { 'multipart/form-data': infer Form } ? Omit<Form, 'file'> : never;

/** The client fills in its own workspace where the call names none. */
export type WorkspaceOptional<T> = T extends { workspaceId: string }
  ? Omit<T, 'workspaceId'> & { workspaceId?: string }
  : T;
