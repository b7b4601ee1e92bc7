import { USAGE_STEP } from './usage-step.ts';

/**
 * The schema, one step after the other. A step that was ever released is never changed; a change is a new step. `$S` is the
 * schema's name. Session names, tenants and fences are ASCII, so the plain collation is right and fast for them.
 *
 * A session's row changes with every append: no index stands on what changes, and its pages have room, so that Postgres
 * writes it in place.
 */
export const MIGRATIONS: readonly string[] = [
  `
  create table $S.session (
    tenant text collate "C" not null,
    id text collate "C" not null,
    head_seq bigint not null default 0,
    bytes bigint not null default 0,
    fence uuid,
    lease_owner text,
    lease_until timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    primary key (tenant, id)
  ) with (fillfactor = 50);

  create table $S.record (
    tenant text collate "C" not null,
    session text collate "C" not null,
    seq bigint not null,
    payload text not null,
    at timestamptz not null default clock_timestamp(),
    primary key (tenant, session, seq),
    foreign key (tenant, session) references $S.session (tenant, id) on delete cascade
  );

  create table $S.stash (
    tenant text collate "C" not null,
    ref text collate "C" not null,
    bytes bytea not null,
    primary key (tenant, ref)
  );

  create table $S.stash_use (
    tenant text collate "C" not null,
    session text collate "C" not null,
    ref text collate "C" not null,
    primary key (tenant, session, ref),
    foreign key (tenant, session) references $S.session (tenant, id) on delete cascade
  );
  create index stash_use_by_ref on $S.stash_use (tenant, ref);

  alter table $S.session enable row level security, force row level security;
  alter table $S.record enable row level security, force row level security;
  alter table $S.stash enable row level security, force row level security;
  alter table $S.stash_use enable row level security, force row level security;
  create policy own_tenant on $S.session using (tenant = current_setting('palimpsest.tenant', true));
  create policy own_tenant on $S.record using (tenant = current_setting('palimpsest.tenant', true));
  create policy own_tenant on $S.stash using (tenant = current_setting('palimpsest.tenant', true));
  create policy own_tenant on $S.stash_use using (tenant = current_setting('palimpsest.tenant', true));
  create policy old_of_all on $S.session for select using (current_setting('palimpsest.retention', true) = 'on');
  `,
  USAGE_STEP,
];
