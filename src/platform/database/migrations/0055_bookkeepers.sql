-- One role more: a bookkeeper sees and exports everything, and changes nothing. Both tables have a row per person.
alter table memberships drop constraint memberships_role_check;
alter table memberships add constraint memberships_role_check
  check (role in ('owner', 'developer', 'support', 'bookkeeper', 'viewer'));
alter table invitations drop constraint invitations_role_check;
alter table invitations add constraint invitations_role_check
  check (role in ('owner', 'developer', 'support', 'bookkeeper', 'viewer'));
