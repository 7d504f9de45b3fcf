#!/bin/sh
# Also run after an upgrade, by rpm when the new version is in place: it says how many versions stay, dpkg what it does.
case "$1" in 0 | remove | purge) ;; *) exit 0 ;; esac

if command -v update-alternatives >/dev/null; then
  update-alternatives --remove broadsheet /opt/Broadsheet/broadsheet || true
else
  rm -f /usr/bin/broadsheet
fi

profile=/etc/apparmor.d/broadsheet
[ -f "$profile" ] || exit 0
if command -v apparmor_parser >/dev/null; then apparmor_parser --remove "$profile" || true; fi
rm -f "$profile"
