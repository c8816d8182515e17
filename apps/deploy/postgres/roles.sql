-- The users of a Postgres that Holdfast and Temporal share, each with the least that it needs. Run once, as a superuser, by roles.sh;
-- apps/deploy/postgres/roles.spec.ts runs it too. None of these is a superuser, or may make roles or databases.
create role holdfast_app nologin;
create role holdfast_system nologin;

-- The role of the set-up alone: owns the schema and migrates it.
create role holdfast_owner login password :'owner_password';
grant holdfast_app, holdfast_system to holdfast_owner with admin option;

-- The role of API and worker: owns nothing, has no right of its own, and works as one of the two roles that the policies bind.
create role holdfast_service login noinherit password :'service_password';
grant holdfast_app, holdfast_system to holdfast_service;

create role temporal login password :'temporal_password';

create database holdfast owner holdfast_owner;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
revoke all on database holdfast, temporal, temporal_visibility from public;
grant connect on database holdfast to holdfast_service;
