// Firemeter: a local Firebase that meters every byte.
// SPDX-License-Identifier: Apache-2.0

// Written by tools/list-pages.

#include "CPageFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char accounts_js[] = {
#embed "../ConsoleServer/Page/Files/accounts.js"
};
static const unsigned char again_js[] = {
#embed "../ConsoleServer/Page/Files/again.js"
};
static const unsigned char api_js[] = {
#embed "../ConsoleServer/Page/Files/api.js"
};
static const unsigned char app_js[] = {
#embed "../ConsoleServer/Page/Files/app.js"
};
static const unsigned char ask_js[] = {
#embed "../ConsoleServer/Page/Files/ask.js"
};
static const unsigned char causes_table_js[] = {
#embed "../ConsoleServer/Page/Files/causes-table.js"
};
static const unsigned char causes_js[] = {
#embed "../ConsoleServer/Page/Files/causes.js"
};
static const unsigned char chart_js[] = {
#embed "../ConsoleServer/Page/Files/chart.js"
};
static const unsigned char conditions_js[] = {
#embed "../ConsoleServer/Page/Files/conditions.js"
};
static const unsigned char console_css[] = {
#embed "../ConsoleServer/Page/Files/console.css"
};
static const unsigned char control_card_js[] = {
#embed "../ConsoleServer/Page/Files/control-card.js"
};
static const unsigned char control_faults_js[] = {
#embed "../ConsoleServer/Page/Files/control-faults.js"
};
static const unsigned char control_network_js[] = {
#embed "../ConsoleServer/Page/Files/control-network.js"
};
static const unsigned char control_quota_js[] = {
#embed "../ConsoleServer/Page/Files/control-quota.js"
};
static const unsigned char control_services_js[] = {
#embed "../ConsoleServer/Page/Files/control-services.js"
};
static const unsigned char control_snapshots_js[] = {
#embed "../ConsoleServer/Page/Files/control-snapshots.js"
};
static const unsigned char control_js[] = {
#embed "../ConsoleServer/Page/Files/control.js"
};
static const unsigned char curl_js[] = {
#embed "../ConsoleServer/Page/Files/curl.js"
};
static const unsigned char data_dialog_js[] = {
#embed "../ConsoleServer/Page/Files/data-dialog.js"
};
static const unsigned char data_views_css[] = {
#embed "../ConsoleServer/Page/Files/data-views.css"
};
static const unsigned char document_changes_js[] = {
#embed "../ConsoleServer/Page/Files/document-changes.js"
};
static const unsigned char document_columns_js[] = {
#embed "../ConsoleServer/Page/Files/document-columns.js"
};
static const unsigned char document_dialogs_js[] = {
#embed "../ConsoleServer/Page/Files/document-dialogs.js"
};
static const unsigned char document_fields_js[] = {
#embed "../ConsoleServer/Page/Files/document-fields.js"
};
static const unsigned char document_filters_js[] = {
#embed "../ConsoleServer/Page/Files/document-filters.js"
};
static const unsigned char document_list_js[] = {
#embed "../ConsoleServer/Page/Files/document-list.js"
};
static const unsigned char document_missing_js[] = {
#embed "../ConsoleServer/Page/Files/document-missing.js"
};
static const unsigned char document_pages_js[] = {
#embed "../ConsoleServer/Page/Files/document-pages.js"
};
static const unsigned char document_pane_js[] = {
#embed "../ConsoleServer/Page/Files/document-pane.js"
};
static const unsigned char document_place_js[] = {
#embed "../ConsoleServer/Page/Files/document-place.js"
};
static const unsigned char document_query_js[] = {
#embed "../ConsoleServer/Page/Files/document-query.js"
};
static const unsigned char document_transfer_js[] = {
#embed "../ConsoleServer/Page/Files/document-transfer.js"
};
static const unsigned char document_tree_js[] = {
#embed "../ConsoleServer/Page/Files/document-tree.js"
};
static const unsigned char documents_js[] = {
#embed "../ConsoleServer/Page/Files/documents.js"
};
static const unsigned char dom_js[] = {
#embed "../ConsoleServer/Page/Files/dom.js"
};
static const unsigned char file_actions_js[] = {
#embed "../ConsoleServer/Page/Files/file-actions.js"
};
static const unsigned char file_list_js[] = {
#embed "../ConsoleServer/Page/Files/file-list.js"
};
static const unsigned char file_metadata_js[] = {
#embed "../ConsoleServer/Page/Files/file-metadata.js"
};
static const unsigned char file_pages_js[] = {
#embed "../ConsoleServer/Page/Files/file-pages.js"
};
static const unsigned char file_pane_js[] = {
#embed "../ConsoleServer/Page/Files/file-pane.js"
};
static const unsigned char file_preview_js[] = {
#embed "../ConsoleServer/Page/Files/file-preview.js"
};
static const unsigned char file_upload_js[] = {
#embed "../ConsoleServer/Page/Files/file-upload.js"
};
static const unsigned char files_js[] = {
#embed "../ConsoleServer/Page/Files/files.js"
};
static const unsigned char firestore_json_js[] = {
#embed "../ConsoleServer/Page/Files/firestore-json.js"
};
static const unsigned char firestore_values_js[] = {
#embed "../ConsoleServer/Page/Files/firestore-values.js"
};
static const unsigned char firestore_js[] = {
#embed "../ConsoleServer/Page/Files/firestore.js"
};
static const unsigned char forecast_js[] = {
#embed "../ConsoleServer/Page/Files/forecast.js"
};
static const unsigned char format_js[] = {
#embed "../ConsoleServer/Page/Files/format.js"
};
static const unsigned char functions_js[] = {
#embed "../ConsoleServer/Page/Files/functions.js"
};
static const unsigned char har_js[] = {
#embed "../ConsoleServer/Page/Files/har.js"
};
static const unsigned char icon_svg[] = {
#embed "../ConsoleServer/Page/Files/icon.svg"
};
static const unsigned char inbox_js[] = {
#embed "../ConsoleServer/Page/Files/inbox.js"
};
static const unsigned char index_html[] = {
#embed "../ConsoleServer/Page/Files/index.html"
};
static const unsigned char indexes_js[] = {
#embed "../ConsoleServer/Page/Files/indexes.js"
};
static const unsigned char keys_js[] = {
#embed "../ConsoleServer/Page/Files/keys.js"
};
static const unsigned char live_chart_js[] = {
#embed "../ConsoleServer/Page/Files/live-chart.js"
};
static const unsigned char live_tiles_js[] = {
#embed "../ConsoleServer/Page/Files/live-tiles.js"
};
static const unsigned char live_tools_js[] = {
#embed "../ConsoleServer/Page/Files/live-tools.js"
};
static const unsigned char live_js[] = {
#embed "../ConsoleServer/Page/Files/live.js"
};
static const unsigned char moving_rows_js[] = {
#embed "../ConsoleServer/Page/Files/moving-rows.js"
};
static const unsigned char poll_js[] = {
#embed "../ConsoleServer/Page/Files/poll.js"
};
static const unsigned char project_views_css[] = {
#embed "../ConsoleServer/Page/Files/project-views.css"
};
static const unsigned char rates_js[] = {
#embed "../ConsoleServer/Page/Files/rates.js"
};
static const unsigned char recording_js[] = {
#embed "../ConsoleServer/Page/Files/recording.js"
};
static const unsigned char request_details_js[] = {
#embed "../ConsoleServer/Page/Files/request-details.js"
};
static const unsigned char request_filter_js[] = {
#embed "../ConsoleServer/Page/Files/request-filter.js"
};
static const unsigned char request_list_js[] = {
#embed "../ConsoleServer/Page/Files/request-list.js"
};
static const unsigned char request_rows_js[] = {
#embed "../ConsoleServer/Page/Files/request-rows.js"
};
static const unsigned char request_stream_js[] = {
#embed "../ConsoleServer/Page/Files/request-stream.js"
};
static const unsigned char request_js[] = {
#embed "../ConsoleServer/Page/Files/request.js"
};
static const unsigned char route_js[] = {
#embed "../ConsoleServer/Page/Files/route.js"
};
static const unsigned char rows_js[] = {
#embed "../ConsoleServer/Page/Files/rows.js"
};
static const unsigned char rules_data_js[] = {
#embed "../ConsoleServer/Page/Files/rules-data.js"
};
static const unsigned char rules_editor_js[] = {
#embed "../ConsoleServer/Page/Files/rules-editor.js"
};
static const unsigned char rules_requests_js[] = {
#embed "../ConsoleServer/Page/Files/rules-requests.js"
};
static const unsigned char rules_source_js[] = {
#embed "../ConsoleServer/Page/Files/rules-source.js"
};
static const unsigned char rules_syntax_js[] = {
#embed "../ConsoleServer/Page/Files/rules-syntax.js"
};
static const unsigned char rules_trace_js[] = {
#embed "../ConsoleServer/Page/Files/rules-trace.js"
};
static const unsigned char rules_trial_js[] = {
#embed "../ConsoleServer/Page/Files/rules-trial.js"
};
static const unsigned char rules_value_js[] = {
#embed "../ConsoleServer/Page/Files/rules-value.js"
};
static const unsigned char rules_js[] = {
#embed "../ConsoleServer/Page/Files/rules.js"
};
static const unsigned char screen_waste_js[] = {
#embed "../ConsoleServer/Page/Files/screen-waste.js"
};
static const unsigned char search_field_js[] = {
#embed "../ConsoleServer/Page/Files/search-field.js"
};
static const unsigned char served_bytes_js[] = {
#embed "../ConsoleServer/Page/Files/served-bytes.js"
};
static const unsigned char storage_js[] = {
#embed "../ConsoleServer/Page/Files/storage.js"
};
static const unsigned char strategy_form_js[] = {
#embed "../ConsoleServer/Page/Files/strategy-form.js"
};
static const unsigned char strategy_text_js[] = {
#embed "../ConsoleServer/Page/Files/strategy-text.js"
};
static const unsigned char tables_js[] = {
#embed "../ConsoleServer/Page/Files/tables.js"
};
static const unsigned char theme_js[] = {
#embed "../ConsoleServer/Page/Files/theme.js"
};
static const unsigned char thumbnails_js[] = {
#embed "../ConsoleServer/Page/Files/thumbnails.js"
};
static const unsigned char totals_js[] = {
#embed "../ConsoleServer/Page/Files/totals.js"
};
static const unsigned char unshown_js[] = {
#embed "../ConsoleServer/Page/Files/unshown.js"
};
static const unsigned char usage_views_css[] = {
#embed "../ConsoleServer/Page/Files/usage-views.css"
};
static const unsigned char usage_js[] = {
#embed "../ConsoleServer/Page/Files/usage.js"
};
static const unsigned char user_detail_js[] = {
#embed "../ConsoleServer/Page/Files/user-detail.js"
};
static const unsigned char user_edit_js[] = {
#embed "../ConsoleServer/Page/Files/user-edit.js"
};
static const unsigned char user_forms_js[] = {
#embed "../ConsoleServer/Page/Files/user-forms.js"
};
static const unsigned char user_usage_js[] = {
#embed "../ConsoleServer/Page/Files/user-usage.js"
};
static const unsigned char users_js[] = {
#embed "../ConsoleServer/Page/Files/users.js"
};
static const unsigned char value_editor_js[] = {
#embed "../ConsoleServer/Page/Files/value-editor.js"
};
static const unsigned char views_js[] = {
#embed "../ConsoleServer/Page/Files/views.js"
};
static const unsigned char watch_writes_js[] = {
#embed "../ConsoleServer/Page/Files/watch-writes.js"
};
static const unsigned char what_if_report_js[] = {
#embed "../ConsoleServer/Page/Files/what-if-report.js"
};
static const unsigned char what_if_js[] = {
#embed "../ConsoleServer/Page/Files/what-if.js"
};
static const unsigned char zip_js[] = {
#embed "../ConsoleServer/Page/Files/zip.js"
};

static const struct page_file files[] = {
    {"accounts.js", accounts_js, sizeof accounts_js},
    {"again.js", again_js, sizeof again_js},
    {"api.js", api_js, sizeof api_js},
    {"app.js", app_js, sizeof app_js},
    {"ask.js", ask_js, sizeof ask_js},
    {"causes-table.js", causes_table_js, sizeof causes_table_js},
    {"causes.js", causes_js, sizeof causes_js},
    {"chart.js", chart_js, sizeof chart_js},
    {"conditions.js", conditions_js, sizeof conditions_js},
    {"console.css", console_css, sizeof console_css},
    {"control-card.js", control_card_js, sizeof control_card_js},
    {"control-faults.js", control_faults_js, sizeof control_faults_js},
    {"control-network.js", control_network_js, sizeof control_network_js},
    {"control-quota.js", control_quota_js, sizeof control_quota_js},
    {"control-services.js", control_services_js, sizeof control_services_js},
    {"control-snapshots.js", control_snapshots_js, sizeof control_snapshots_js},
    {"control.js", control_js, sizeof control_js},
    {"curl.js", curl_js, sizeof curl_js},
    {"data-dialog.js", data_dialog_js, sizeof data_dialog_js},
    {"data-views.css", data_views_css, sizeof data_views_css},
    {"document-changes.js", document_changes_js, sizeof document_changes_js},
    {"document-columns.js", document_columns_js, sizeof document_columns_js},
    {"document-dialogs.js", document_dialogs_js, sizeof document_dialogs_js},
    {"document-fields.js", document_fields_js, sizeof document_fields_js},
    {"document-filters.js", document_filters_js, sizeof document_filters_js},
    {"document-list.js", document_list_js, sizeof document_list_js},
    {"document-missing.js", document_missing_js, sizeof document_missing_js},
    {"document-pages.js", document_pages_js, sizeof document_pages_js},
    {"document-pane.js", document_pane_js, sizeof document_pane_js},
    {"document-place.js", document_place_js, sizeof document_place_js},
    {"document-query.js", document_query_js, sizeof document_query_js},
    {"document-transfer.js", document_transfer_js, sizeof document_transfer_js},
    {"document-tree.js", document_tree_js, sizeof document_tree_js},
    {"documents.js", documents_js, sizeof documents_js},
    {"dom.js", dom_js, sizeof dom_js},
    {"file-actions.js", file_actions_js, sizeof file_actions_js},
    {"file-list.js", file_list_js, sizeof file_list_js},
    {"file-metadata.js", file_metadata_js, sizeof file_metadata_js},
    {"file-pages.js", file_pages_js, sizeof file_pages_js},
    {"file-pane.js", file_pane_js, sizeof file_pane_js},
    {"file-preview.js", file_preview_js, sizeof file_preview_js},
    {"file-upload.js", file_upload_js, sizeof file_upload_js},
    {"files.js", files_js, sizeof files_js},
    {"firestore-json.js", firestore_json_js, sizeof firestore_json_js},
    {"firestore-values.js", firestore_values_js, sizeof firestore_values_js},
    {"firestore.js", firestore_js, sizeof firestore_js},
    {"forecast.js", forecast_js, sizeof forecast_js},
    {"format.js", format_js, sizeof format_js},
    {"functions.js", functions_js, sizeof functions_js},
    {"har.js", har_js, sizeof har_js},
    {"icon.svg", icon_svg, sizeof icon_svg},
    {"inbox.js", inbox_js, sizeof inbox_js},
    {"index.html", index_html, sizeof index_html},
    {"indexes.js", indexes_js, sizeof indexes_js},
    {"keys.js", keys_js, sizeof keys_js},
    {"live-chart.js", live_chart_js, sizeof live_chart_js},
    {"live-tiles.js", live_tiles_js, sizeof live_tiles_js},
    {"live-tools.js", live_tools_js, sizeof live_tools_js},
    {"live.js", live_js, sizeof live_js},
    {"moving-rows.js", moving_rows_js, sizeof moving_rows_js},
    {"poll.js", poll_js, sizeof poll_js},
    {"project-views.css", project_views_css, sizeof project_views_css},
    {"rates.js", rates_js, sizeof rates_js},
    {"recording.js", recording_js, sizeof recording_js},
    {"request-details.js", request_details_js, sizeof request_details_js},
    {"request-filter.js", request_filter_js, sizeof request_filter_js},
    {"request-list.js", request_list_js, sizeof request_list_js},
    {"request-rows.js", request_rows_js, sizeof request_rows_js},
    {"request-stream.js", request_stream_js, sizeof request_stream_js},
    {"request.js", request_js, sizeof request_js},
    {"route.js", route_js, sizeof route_js},
    {"rows.js", rows_js, sizeof rows_js},
    {"rules-data.js", rules_data_js, sizeof rules_data_js},
    {"rules-editor.js", rules_editor_js, sizeof rules_editor_js},
    {"rules-requests.js", rules_requests_js, sizeof rules_requests_js},
    {"rules-source.js", rules_source_js, sizeof rules_source_js},
    {"rules-syntax.js", rules_syntax_js, sizeof rules_syntax_js},
    {"rules-trace.js", rules_trace_js, sizeof rules_trace_js},
    {"rules-trial.js", rules_trial_js, sizeof rules_trial_js},
    {"rules-value.js", rules_value_js, sizeof rules_value_js},
    {"rules.js", rules_js, sizeof rules_js},
    {"screen-waste.js", screen_waste_js, sizeof screen_waste_js},
    {"search-field.js", search_field_js, sizeof search_field_js},
    {"served-bytes.js", served_bytes_js, sizeof served_bytes_js},
    {"storage.js", storage_js, sizeof storage_js},
    {"strategy-form.js", strategy_form_js, sizeof strategy_form_js},
    {"strategy-text.js", strategy_text_js, sizeof strategy_text_js},
    {"tables.js", tables_js, sizeof tables_js},
    {"theme.js", theme_js, sizeof theme_js},
    {"thumbnails.js", thumbnails_js, sizeof thumbnails_js},
    {"totals.js", totals_js, sizeof totals_js},
    {"unshown.js", unshown_js, sizeof unshown_js},
    {"usage-views.css", usage_views_css, sizeof usage_views_css},
    {"usage.js", usage_js, sizeof usage_js},
    {"user-detail.js", user_detail_js, sizeof user_detail_js},
    {"user-edit.js", user_edit_js, sizeof user_edit_js},
    {"user-forms.js", user_forms_js, sizeof user_forms_js},
    {"user-usage.js", user_usage_js, sizeof user_usage_js},
    {"users.js", users_js, sizeof users_js},
    {"value-editor.js", value_editor_js, sizeof value_editor_js},
    {"views.js", views_js, sizeof views_js},
    {"watch-writes.js", watch_writes_js, sizeof watch_writes_js},
    {"what-if-report.js", what_if_report_js, sizeof what_if_report_js},
    {"what-if.js", what_if_js, sizeof what_if_js},
    {"zip.js", zip_js, sizeof zip_js},
};

struct page_files console_page_files(void) { return (struct page_files){files, sizeof files / sizeof *files}; }
