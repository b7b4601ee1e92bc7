/**
 * What requests used, one row each, in a table of its own for every month: what is old goes with its table, in no time, and leaves
 * no gaps. Months are those of UTC.
 *
 * A month's table is made beside the others and then attached, which holds up neither readers nor writers. Row security stands on
 * each of them too, without a rule: who reads one by its own name gets nothing, its owner neither. Both functions work with the
 * rights of the tables' owner, so that who only writes can write in a new month; they belong to those who are given them.
 */
export const USAGE_STEP = `
  create table $S.usage (
    tenant text collate "C" not null,
    at timestamptz not null,
    id text collate "C" not null,
    session text collate "C",
    upstream text,
    model text,
    status int,
    input bigint,
    cache_read bigint,
    cache_write bigint,
    output bigint,
    tokens_before bigint,
    tokens_after bigint,
    compacted boolean not null default false,
    overhead_ms float8,
    primary key (tenant, at, id)
  ) partition by range (at);

  alter table $S.usage enable row level security, force row level security;
  create policy own_tenant on $S.usage using (tenant = current_setting('palimpsest.tenant', true));
  create policy of_all on $S.usage using (current_setting('palimpsest.usage', true) = 'all');

  create function $S.make_usage_month(month date) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
  declare
    first timestamp := date_trunc('month', month::timestamp);
    name text := 'usage_' || to_char(first, 'YYYY_MM');
  begin
    -- Looked for twice: only who finds it missing waits for others who make it.
    for turn in 1..2 loop
      if exists (
        select from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = '$S.usage'::regclass and c.relname = name
      ) then return; end if;
      if turn = 1 then perform pg_advisory_xact_lock(hashtextextended(replace('palimpsest $S', '"', ''), 0)); end if;
    end loop;
    execute format('create table $S.%I (like $S.usage including defaults including constraints)', name);
    execute format('alter table $S.%I enable row level security, force row level security', name);
    execute format('alter table $S.usage attach partition $S.%I for values from (%L) to (%L)', name,
      to_char(first, 'YYYY-MM-DD 00:00:00+00'), to_char(first + interval '1 month', 'YYYY-MM-DD 00:00:00+00'));
  end $body$;

  create function $S.drop_usage_before(moment timestamptz) returns setof text
  language plpgsql security definer set search_path = pg_catalog, pg_temp as $body$
  declare
    name text;
  begin
    perform pg_advisory_xact_lock(hashtextextended(replace('palimpsest $S', '"', ''), 0));
    for name in
      select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = '$S.usage'::regclass and c.relname ~ '^usage_[0-9]{4}_[0-9]{2}$'
        and (to_date(right(c.relname, 7), 'YYYY_MM')::timestamp + interval '1 month') at time zone 'UTC' <= moment
      order by c.relname
    loop
      execute format('drop table $S.%I', name);
      return next name;
    end loop;
  end $body$;

  revoke all on function $S.make_usage_month(date), $S.drop_usage_before(timestamptz) from public;
`;
