/**
 * Makes Postgres fail each statement that deletes more than `above` rows of a table, with the error of the statement time-out. Only rows
 * that match `where` count. `quickAgain` undoes this.
 */
export const slowDeletion = (table: string, above: number, where = 'true'): string => `
create or replace function too_slow_${nameOf(table)}() returns trigger language plpgsql as $$ begin
  if (select count(*) from gone where ${where}) > ${above} then raise exception 'too slow' using errcode = '57014'; end if;
  return null;
end $$;
create trigger too_slow after delete on ${table} referencing old table as gone
  for each statement execute function too_slow_${nameOf(table)}()`;

export const quickAgain = (table: string): string => `drop trigger too_slow on ${table}`;

const nameOf = (table: string): string => table.replace('.', '_');
