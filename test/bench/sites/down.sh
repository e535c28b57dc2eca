#!/bin/bash
# What did up.sh start? down.sh [wiki] [blog] stops exactly that, by the pid files, and leaves the files where they are.
. "$(dirname "$0")/common.sh"
for site in ${*:-wiki blog}; do
  case $site in
    wiki) stop wiki-apache TERM; stop wiki-php QUIT ;;
    blog) stop blog-nginx QUIT; stop blog-php QUIT; stop blog-mariadb TERM ;;
    *) echo "got $site, expected wiki or blog" >&2; exit 2 ;;
  esac
done
