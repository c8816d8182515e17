import proto from '@temporalio/proto';
import { searchAttributes } from '#temporal/search-attributes';

const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_INT } = proto.temporal.api.enums.v1.IndexedValueType;

/** The search attributes by name, with their types as Temporal's operator service takes them. */
export const indexedTypes = Object.fromEntries(
  Object.entries(searchAttributes).map(([name, type]) => [
    name,
    type === 'INT' ? INDEXED_VALUE_TYPE_INT : INDEXED_VALUE_TYPE_KEYWORD,
  ]),
);
