// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Written by tools/list-pages.

#include "CPageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char account_form_js[] = {
#embed "../AuthServer/Pages/Files/account-form.js"
};
static const unsigned char account_list_js[] = {
#embed "../AuthServer/Pages/Files/account-list.js"
};
static const unsigned char accounts_js[] = {
#embed "../AuthServer/Pages/Files/accounts.js"
};
static const unsigned char auth_event_js[] = {
#embed "../AuthServer/Pages/Files/auth-event.js"
};
static const unsigned char avatar_js[] = {
#embed "../AuthServer/Pages/Files/avatar.js"
};
static const unsigned char deep_links_js[] = {
#embed "../AuthServer/Pages/Files/deep-links.js"
};
static const unsigned char delivery_js[] = {
#embed "../AuthServer/Pages/Files/delivery.js"
};
static const unsigned char event_channel_js[] = {
#embed "../AuthServer/Pages/Files/event-channel.js"
};
static const unsigned char gapi_js[] = {
#embed "../AuthServer/Pages/Files/gapi.js"
};
static const unsigned char handler_html[] = {
#embed "../AuthServer/Pages/Files/handler.html"
};
static const unsigned char handler_js[] = {
#embed "../AuthServer/Pages/Files/handler.js"
};
static const unsigned char iframe_html[] = {
#embed "../AuthServer/Pages/Files/iframe.html"
};
static const unsigned char iframe_js[] = {
#embed "../AuthServer/Pages/Files/iframe.js"
};
static const unsigned char opener_js[] = {
#embed "../AuthServer/Pages/Files/opener.js"
};
static const unsigned char pages_css[] = {
#embed "../AuthServer/Pages/Files/pages.css"
};
static const unsigned char parent_page_js[] = {
#embed "../AuthServer/Pages/Files/parent-page.js"
};
static const unsigned char redirect_js[] = {
#embed "../AuthServer/Pages/Files/redirect.js"
};
static const unsigned char relay_url_js[] = {
#embed "../AuthServer/Pages/Files/relay-url.js"
};
static const unsigned char relay_html[] = {
#embed "../AuthServer/Pages/Files/relay.html"
};
static const unsigned char relay_js[] = {
#embed "../AuthServer/Pages/Files/relay.js"
};
static const unsigned char request_notes_js[] = {
#embed "../AuthServer/Pages/Files/request-notes.js"
};
static const unsigned char request_js[] = {
#embed "../AuthServer/Pages/Files/request.js"
};
static const unsigned char sample_person_js[] = {
#embed "../AuthServer/Pages/Files/sample-person.js"
};
static const unsigned char stored_event_js[] = {
#embed "../AuthServer/Pages/Files/stored-event.js"
};
static const unsigned char views_js[] = {
#embed "../AuthServer/Pages/Files/views.js"
};

static const struct page_file files[] = {
    {"account-form.js", account_form_js, sizeof account_form_js},
    {"account-list.js", account_list_js, sizeof account_list_js},
    {"accounts.js", accounts_js, sizeof accounts_js},
    {"auth-event.js", auth_event_js, sizeof auth_event_js},
    {"avatar.js", avatar_js, sizeof avatar_js},
    {"deep-links.js", deep_links_js, sizeof deep_links_js},
    {"delivery.js", delivery_js, sizeof delivery_js},
    {"event-channel.js", event_channel_js, sizeof event_channel_js},
    {"gapi.js", gapi_js, sizeof gapi_js},
    {"handler.html", handler_html, sizeof handler_html},
    {"handler.js", handler_js, sizeof handler_js},
    {"iframe.html", iframe_html, sizeof iframe_html},
    {"iframe.js", iframe_js, sizeof iframe_js},
    {"opener.js", opener_js, sizeof opener_js},
    {"pages.css", pages_css, sizeof pages_css},
    {"parent-page.js", parent_page_js, sizeof parent_page_js},
    {"redirect.js", redirect_js, sizeof redirect_js},
    {"relay-url.js", relay_url_js, sizeof relay_url_js},
    {"relay.html", relay_html, sizeof relay_html},
    {"relay.js", relay_js, sizeof relay_js},
    {"request-notes.js", request_notes_js, sizeof request_notes_js},
    {"request.js", request_js, sizeof request_js},
    {"sample-person.js", sample_person_js, sizeof sample_person_js},
    {"stored-event.js", stored_event_js, sizeof stored_event_js},
    {"views.js", views_js, sizeof views_js},
};

struct page_files sign_in_page_files(void) { return (struct page_files){files, sizeof files / sizeof *files}; }
